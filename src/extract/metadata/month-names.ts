const words = (list: string): readonly string[] => list.split(" ");

/** Names of the months as dates have them (genitive where a language declines), lower case, without diacritics. */
const MONTHS: readonly (readonly string[])[] = [
  words("january januar janvier enero gennaio janeiro januari stycznia tammikuuta ocak января ledna"),
  words("february februar fevrier febrero febbraio fevereiro februari lutego helmikuuta subat февраля unora"),
  words("march mar mrt marz maerz mars marzo marco maart marts marca maaliskuuta mart maret марта brezna"),
  words("april avril abril aprile kwietnia huhtikuuta nisan апреля dubna"),
  words("may mai mayo maggio maio mei maj maja toukokuuta mayis мая kvetna"),
  words("june juni juin junio giugno junho czerwca kesakuuta haziran июня cervna"),
  words("july juli juillet julio luglio julho lipca heinakuuta temmuz июля cervence"),
  words("august aout agosto augustus augusti sierpnia elokuuta agustos agustus августа srpna"),
  words("september septembre septiembre settembre setembro wrzesnia syyskuuta eylul сентября zari"),
  words("october oktober octobre octubre ottobre outubro pazdziernika lokakuuta ekim октября rijna"),
  words("november novembre noviembre novembro listopada marraskuuta kasim ноября listopadu"),
  words("december dezember decembre diciembre dicembre dezembro desember grudnia joulukuuta aralik декабря prosince"),
];
const MIN_ABBREVIATION_CHARS = 3;

/** 1 to 12 by a month's name or its beginning in one of some twenty languages; undefined when two months begin so. */
export function monthNumber(name: string): number | undefined {
  const plain = name.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ı", "i").toLowerCase();
  if (plain.length < MIN_ABBREVIATION_CHARS) return undefined;
  let found: number | undefined;
  for (const [index, names] of MONTHS.entries()) {
    if (names.includes(plain)) return index + 1;
    if (!names.some((full) => full.startsWith(plain))) continue;
    if (found !== undefined) return undefined;
    found = index + 1;
  }
  return found;
}
