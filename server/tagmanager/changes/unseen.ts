/** What nobody sees, or what turns the text around it: controls, zero widths, directions. */
const UNSEEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb]/u;

/** Emoji are put together by some of them, and many scripts need joiners to be written at all. */
const NEEDED =
  /\p{RGI_Emoji}|(?<=[[\p{L}\p{M}]--[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]])\p{Join_Control}/gv;

/** Whether a text reads otherwise than it is. */
export function hasUnseen(text: string): boolean {
  return UNSEEN.test(text) && UNSEEN.test(text.replace(NEEDED, ''));
}
