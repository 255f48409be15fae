/** What somebody typed or pasted as a client. */
export interface Typed {
  id: string;
  secret: string | undefined;
  /** What is wrong with it, where that can be seen here. */
  fault: string | undefined;
}

/** The file that Google offers for download beside the client ID may be pasted as it is. */
export function clientFrom(text: string): Typed {
  const typed: Typed = { id: text.trim(), secret: undefined, fault: undefined };
  if (!typed.id.startsWith('{')) return typed;
  const file = parsed(typed.id);
  const desktop = partOf(file, 'installed');
  if (desktop) {
    const { client_id: id, client_secret: secret } = desktop;
    if (typeof id === 'string') {
      return { ...typed, id, secret: typeof secret === 'string' ? secret : undefined };
    }
  }
  if (partOf(file, 'web')) {
    const fault =
      'This is a client of the type Web application. Make one of the type Desktop app: only those may lead back to this machine.';
    return { ...typed, fault };
  }
  return { ...typed, fault: 'This is not the file of an OAuth client.' };
}

function partOf(file: unknown, name: string): Record<string, unknown> | undefined {
  if (typeof file !== 'object' || file === null) return undefined;
  const part: unknown = Reflect.get(file, name);
  return typeof part === 'object' && part !== null ? (part as Record<string, unknown>) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
