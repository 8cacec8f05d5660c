/** A language's name in a fence, what else it is called, and the extensions of its files. */
type Language = readonly [name: string, others: string, extensions: string];

const LANGUAGES: readonly Language[] = [
  ["ada", "", "adb ads"],
  ["apache", "apacheconf", "htaccess"],
  ["applescript", "", "applescript scpt"],
  ["arduino", "ino", "ino"],
  ["asm", "assembly nasm", "asm"],
  ["astro", "", "astro"],
  ["awk", "", "awk"],
  ["bash", "", "bash bashrc bash_profile"],
  ["batch", "bat cmd dos", "bat cmd"],
  ["c", "", "c h"],
  ["clojure", "clj", "clj cljs"],
  ["cmake", "", "cmake"],
  ["coffeescript", "coffee", "coffee"],
  ["console", "shell-session shellsession", ""],
  ["cpp", "c++ cplusplus", "cpp cc cxx hpp hh"],
  ["crystal", "", "cr"],
  ["csharp", "c# cs", "cs csx"],
  ["css", "", "css"],
  ["cuda", "", "cu cuh"],
  ["dart", "", "dart"],
  ["diff", "patch", "diff patch"],
  ["dockerfile", "docker", "dockerfile"],
  ["dotenv", "", "env"],
  ["elixir", "ex", "ex exs"],
  ["elm", "", "elm"],
  ["erb", "", "erb"],
  ["erlang", "erl", "erl"],
  ["fortran", "", "f90 f95"],
  ["fsharp", "f#", "fs fsx"],
  ["gherkin", "cucumber", "feature"],
  ["glsl", "", "glsl"],
  ["go", "golang", "go"],
  ["gradle", "", "gradle"],
  ["graphql", "gql", "graphql gql"],
  ["groovy", "", "groovy"],
  ["handlebars", "hbs", "hbs"],
  ["haskell", "hs", "hs"],
  ["hcl", "", "hcl"],
  ["html", "xhtml", "html htm xhtml"],
  ["http", "", "http"],
  ["ini", "cfg", "ini cfg"],
  ["java", "", "java"],
  ["javascript", "js nodejs", "js mjs cjs"],
  ["jinja", "jinja2", "j2 jinja"],
  ["json", "", "json"],
  ["json5", "", "json5"],
  ["jsonc", "", "jsonc"],
  ["jsx", "", "jsx"],
  ["julia", "", "jl"],
  ["kotlin", "kt", "kt kts"],
  ["latex", "tex", "tex"],
  ["less", "", "less"],
  ["liquid", "", "liquid"],
  ["lisp", "elisp emacs-lisp common-lisp", "lisp el"],
  ["lua", "", "lua"],
  ["makefile", "make", "mk makefile"],
  ["markdown", "md", "md"],
  ["mdx", "", "mdx"],
  ["matlab", "", ""],
  ["mermaid", "", "mmd"],
  ["nginx", "", ""],
  ["nim", "", "nim"],
  ["nix", "", "nix"],
  ["objectivec", "objective-c objc", "mm"],
  ["ocaml", "", "ml mli"],
  ["pascal", "delphi", "pas"],
  ["perl", "", "pl pm"],
  ["php", "", "php"],
  ["postgresql", "postgres psql pgsql plpgsql", ""],
  ["powershell", "ps1 pwsh posh", "ps1 psm1"],
  ["prisma", "", "prisma"],
  ["prolog", "", ""],
  ["properties", "", "properties"],
  ["protobuf", "proto", "proto"],
  ["pycon", "", ""],
  ["python", "py python3 ipython ipython3", "py pyi"],
  ["r", "", "r"],
  ["razor", "cshtml", "cshtml razor"],
  ["ruby", "rb", "rb gemfile rakefile"],
  ["rust", "rs", "rs"],
  ["sass", "", "sass"],
  ["scala", "", "scala"],
  ["scheme", "", "scm"],
  ["scss", "", "scss"],
  ["shell", "sh zsh fish", "sh zsh fish zshrc"],
  ["solidity", "", "sol"],
  ["sql", "mysql sqlite plsql tsql", "sql"],
  ["svelte", "", "svelte"],
  ["swift", "", "swift"],
  ["tcl", "", "tcl"],
  ["terraform", "", "tf tfvars"],
  ["toml", "", "toml"],
  ["tsx", "", "tsx"],
  ["typescript", "ts", "ts mts cts"],
  ["vb", "vbnet vb.net", "vb vbs"],
  ["verilog", "", ""],
  ["vhdl", "", "vhd vhdl"],
  ["vim", "viml vimscript", "vim vimrc"],
  ["vue", "", "vue"],
  ["wasm", "wat", "wat"],
  ["xml", "", "xml xsd xsl xslt plist csproj xaml"],
  ["yaml", "yml", "yaml yml"],
  ["zig", "", "zig"],
];

/** Names that only people read. */
const SPOKEN: readonly (readonly [string, string])[] = [
  ["terminal", "shell"],
  ["command line", "shell"],
  ["shell session", "console"],
  ["node.js", "javascript"],
  ["visual basic", "vb"],
  ["protocol buffers", "protobuf"],
];

const words = (list: string): readonly string[] => (list === "" ? [] : list.split(" "));

const BY_NAME: ReadonlyMap<string, string> = new Map(
  LANGUAGES.flatMap(([name, others]) => [name, ...words(others)].map((word) => [word, name] as const)),
);
const BY_LABEL: ReadonlyMap<string, string> = new Map([...BY_NAME, ...SPOKEN]);
const BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  LANGUAGES.flatMap(([name, , extensions]) => words(extensions).map((word) => [word, name] as const)),
);

const MAX_LABEL_CHARS = 80;
/** A forum writes `Code: (php)`, a blog `Python:`. */
const LABEL_FRAME = /^code:?\s*\(|[)\]:]+$|^\[/gi;
const BUTTON = "\\[?(?:copy(?: code| to clipboard)?|copied!?|select(?: all)?|expand|view raw|raw|wrap)\\]?";
const BUTTONS = new RegExp(`^(?:${BUTTON}\\s+)+|(?:(?:^|\\s+)${BUTTON})+$`, "gi");
const FILE_NAME = /^(?:[\w@~.()[\]$+-]+[/\\])*[\w@~.()[\]$+-]*?\.?(\w+)$/;

/** True for the names highlighters use, without capitals. */
export function isLanguageName(name: string): boolean {
  return BY_NAME.has(name);
}

/** The language of a name that people read, such as `C#`; "" for anything else. */
export function languageOfLabel(label: string): string {
  return BY_LABEL.get(label.toLowerCase()) ?? "";
}

/** The language of a file by the end of its name, such as `src/app.ts` or `Dockerfile`; "" for anything else. */
export function languageOfFile(path: string): string {
  if (path.length > MAX_LABEL_CHARS) return "";
  const [, ending = ""] = FILE_NAME.exec(path) ?? [];
  return path.includes(".") || /file$/.test(ending) ? (BY_EXTENSION.get(ending.toLowerCase()) ?? "") : "";
}

/** The language that a title over a block names, by itself or as a file. */
export function languageOfTitle(title: string): string {
  if (title.length > MAX_LABEL_CHARS) return "";
  const name = title.trim().replace(LABEL_FRAME, "").trim();
  return languageOfLabel(name) || languageOfFile(name);
}

/** A title without the words of the buttons beside it. */
export function titleWords(text: string): string {
  return text.replace(/\s+/g, " ").trim().replace(BUTTONS, "");
}

/** True for a title that says nothing which the fence does not: a language's name, or that this is code. */
export function isLanguageTitle(title: string): boolean {
  const name = title.replace(LABEL_FRAME, "").trim();
  return /^(?:code|plain ?text|text)?$/i.test(name) || languageOfLabel(name) !== "";
}
