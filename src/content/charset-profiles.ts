/** What text in one language looks like, and the legacy charsets it was written in, likeliest first. */
export interface LanguageProfile {
  readonly charsets: readonly string[];
  /** The letters (lower case) or characters that most of its non-ASCII text consists of. */
  readonly frequent: string;
  /**
   * `latin`: single letters among ASCII ones; `alphabet`: whole words of non-ASCII letters;
   * `ideographs`: every character counts, and `frequent` covers a known part of running text.
   */
  readonly script: "latin" | "alphabet" | "ideographs";
  /** Matches the characters of the script; for `ideographs` these only, for `alphabet` rarer letters too. */
  readonly letters: RegExp;
}

const LATIN = /\p{Script=Latin}/u;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const CYRILLIC_CHARSETS = ["windows-1251", "koi8-r", "iso-8859-5", "ibm866", "x-mac-cyrillic"];
const CENTRAL_EUROPEAN = ["windows-1250", "iso-8859-2"];

const latin = (charsets: readonly string[], frequent: string): LanguageProfile => ({
  charsets,
  frequent,
  script: "latin",
  letters: LATIN,
});

/** On equal scores the first row wins: windows-1252 covers most of the legacy web. Ideographs come last. */
export const LANGUAGE_PROFILES: readonly LanguageProfile[] = [
  latin(["windows-1252", "macintosh"], "éèàêçùôîâûëïœ"),
  latin(["windows-1252", "macintosh"], "äöüß"),
  latin(["windows-1252", "macintosh"], "áéíóúñü¿¡ãõçâêôàª"),
  latin(["windows-1252"], "àèéìòù"),
  latin(["windows-1252"], "åäöæøé"),
  latin(["windows-1252"], "áðéíóúýþæö"),
  latin(CENTRAL_EUROPEAN, "ąćęłńóśźż"),
  latin(CENTRAL_EUROPEAN, "áčďéěíňóřšťúůýžľĺŕäô"),
  latin(CENTRAL_EUROPEAN, "áéíóöőúüű"),
  latin(CENTRAL_EUROPEAN, "ăâîşţ"),
  latin(CENTRAL_EUROPEAN, "čćđšž"),
  latin(["windows-1254"], "ğışİçöüâ"),
  latin(["windows-1257", "iso-8859-13"], "āčēģīķļņšūžąęėįųõäöü"),
  { charsets: CYRILLIC_CHARSETS, frequent: "оеаинтсрвлкмдпуяыьгз", script: "alphabet", letters: CYRILLIC },
  {
    charsets: ["windows-1251", "koi8-u", "iso-8859-5"],
    frequent: "оаинтівреслкдумпзяьбїє",
    script: "alphabet",
    letters: CYRILLIC,
  },
  {
    charsets: ["windows-1253", "iso-8859-7"],
    frequent: "αοιετσνηυρπκμλςάίόέή",
    script: "alphabet",
    letters: /\p{Script=Greek}/u,
  },
  {
    charsets: ["windows-1255", "iso-8859-8-i"],
    frequent: "יוהלאתרבמשנעדחקפםכ",
    script: "alphabet",
    letters: /\p{Script=Hebrew}/u,
  },
  {
    charsets: ["windows-1256", "iso-8859-6"],
    frequent: "اليمنتروةبعدسفهكقحأج",
    script: "alphabet",
    letters: /\p{Script=Arabic}/u,
  },
  {
    charsets: ["windows-874"],
    frequent: "านรอกเงมยลวดทสตะปบคหแจพชขใไโ่้ีิั็์ุู",
    script: "alphabet",
    letters: /\p{Script=Thai}/u,
  },
  {
    charsets: ["shift_jis", "euc-jp"],
    frequent: "のにはをたがでてとしれさいるなもからすまこあっりくきんスンルトイラリクドレタロ日本人年大国",
    script: "ideographs",
    letters: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー]/u,
  },
  {
    charsets: ["gb18030"],
    frequent:
      "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心",
    script: "ideographs",
    letters: /\p{Script=Han}/u,
  },
  {
    charsets: ["big5"],
    frequent:
      "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心",
    script: "ideographs",
    letters: /\p{Script=Han}/u,
  },
  {
    charsets: ["euc-kr"],
    frequent: "이다는의에을가고를하은지도로한어서기아인사자리대나그해니있시정스과일보수만구여라들전제부와게",
    script: "ideographs",
    letters: /\p{Script=Hangul}/u,
  },
];
