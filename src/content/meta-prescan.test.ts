import { describe, expect, it } from "vitest";
import { prescanCharset } from "./meta-prescan.js";

describe("prescanCharset", () => {
  it.each([
    ['<meta charset="gbk">', "gbk"],
    ["<META CHARSET=GBK>", "gbk"],
    ["<meta charset = 'gbk' >", "gbk"],
    ["<meta/charset=gbk/>", "gbk/"],
    ['<meta http-equiv="Content-Type" content="text/html; charset=gbk">', "gbk"],
    ["<meta content='text/html; charset = \"gbk\"' http-equiv=content-type>", "gbk"],
    ['<meta name=x content="charset=gbk">', undefined],
    ['<meta http-equiv="refresh" content="0; charset=gbk">', undefined],
    ['<metadata charset="gbk">', undefined],
    ['<!-- <meta charset="gbk"> --><meta charset="big5">', "big5"],
    ["<!--><meta charset=big5>", "big5"],
    ['<p title="<meta charset=gbk>"><meta charset="big5">', "big5"],
    ["<a b='>' c><meta charset=big5>", "big5"],
    ["<!doctype html><?php x ?><meta charset=big5>", "big5"],
    ["text < 5 <meta charset=big5>", "big5"],
    ['<?xml version="1.0" encoding="koi8-r"?><p>', "koi8-r"],
    ["<?xml version='1.0' encoding='koi8-r' ?>", "koi8-r"],
    [' <?xml version="1.0" encoding="koi8-r"?>', undefined],
    ['<meta charset="gbk', undefined],
    ["<!-- never closed <meta charset=gbk>", undefined],
    ["", undefined],
  ])("finds in %j: %j", (head, label) => {
    expect(prescanCharset(head)).toBe(label);
  });
});
