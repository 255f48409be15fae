/** Of a template's text, by name: `INFO`, `TEMPLATE_PARAMETERS`, `WEB_PERMISSIONS`… */
export type Sections = ReadonlyMap<string, string>;

const MARKER = /^___([A-Z0-9_]+)___[ \t]*$/gm;

/** Whoever edited it last may have left a byte order mark, other line ends, another order. */
export function sectionsOf(templateData: string): Sections {
  const text = templateData.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const markers = [...text.matchAll(MARKER)];
  const sections = new Map<string, string>();
  for (const [i, marker] of markers.entries()) {
    const [line, name = ''] = marker;
    const body = text.slice(marker.index + line.length, markers[i + 1]?.index);
    if (!sections.has(name)) sections.set(name, body.trim());
  }
  return sections;
}

/** Strings are kept as they are: in them stand addresses, which have slashes too. */
export function withoutComments(code: string): string {
  return code.replace(
    /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g,
    (_all, text: string | undefined) => text ?? ' ',
  );
}

export function parsed(json: string | undefined): unknown {
  try {
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}
