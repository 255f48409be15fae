import { listed } from '../../lib/words.ts';

/** What was refused, as far as a hint depends on it. */
export interface Refused {
  endpoint: 'events' | 'collect';
  status: number;
  detail: string;
  errors: readonly { path: string; message: string }[];
}

interface Hint {
  text: string;
  /** Where it can be mended. */
  link?: { href: string; word: string };
  /** What the right shape looks like. */
  example?: string;
}

const BATCH = `[
  {
    "source": "backend",
    "event_type": "purchase",
    "data": {
      "order_id": "A-1001",
      "value": 49.9
    }
  }
]`;

const PIXEL = `{
  "source": "website",
  "events": [
    {
      "type": "purchase",
      "data": { "value": 49.9 }
    }
  ]
}`;

const KEYS = { href: '/settings/keys', word: 'Open API keys' };

/** What would have made it right, for each way in which an item can be wrong. */
export function hintFor({ endpoint, status, detail, errors }: Refused): Hint {
  const example = endpoint === 'collect' ? PIXEL : BATCH;
  if (status === 403) return forbidden(detail);
  if (status === 413) {
    return {
      text: 'Send it in several smaller requests: a body may have up to 16 MiB and 50,000 events, a pixel’s address up to 64 KiB.',
    };
  }
  if (status === 415) {
    return { text: 'Send the body as it is, with the header Content-Type: application/json.' };
  }
  if (status === 400) return unreadable(endpoint, detail, example);
  const said = (words: string) => errors.some(({ message }) => message.includes(words));
  if (said('must be a list of events')) {
    return { text: 'Put the event in square brackets: the body is a list, even for one.', example };
  }
  if (said('half of a surrogate pair')) {
    return {
      text: 'A text was cut in the middle of a character, such as an emoji. Shorten texts by characters, not by code units.',
    };
  }
  if (said('is given twice')) {
    return { text: 'Name each field of an event once; it is not clear which of the two counts.' };
  }
  if (said('nested deeper')) {
    return { text: 'Send less of the object: something in it probably refers back to itself.' };
  }
  return misshapen(endpoint, errors, example);
}

function forbidden(detail: string): Hint {
  const domain = /^Domain is not allowed for this key: (.+)$/s.exec(detail)?.[1];
  if (domain !== undefined) {
    return {
      text: `If ${domain} is yours, add it to the allowed domains of the key that this site sends with. If it is not, somebody uses your key: rotate it.`,
      link: KEYS,
    };
  }
  return {
    text: 'This key may only read. Send events with a key that may send: scope ingest for websites and apps, full for what also manages.',
    link: KEYS,
  };
}

function unreadable(endpoint: Refused['endpoint'], detail: string, example: string): Hint {
  if (endpoint === 'collect') {
    if (detail.includes('it is missing')) {
      return {
        text: 'The pixel’s address has no parameter d. Put the payload there, URL-encoded.',
        example,
      };
    }
    return {
      text: 'Build parameter d with encodeURIComponent(JSON.stringify(payload)), or as base64 of that JSON.',
      example,
    };
  }
  if (detail.includes('cut off')) {
    return {
      text: 'The sender closed the connection before all of it had arrived. Send it again.',
    };
  }
  return {
    text: 'Let a JSON library write the body (JSON.stringify, json.dumps): it puts the quotation marks, commas and escapes where they belong.',
    example,
  };
}

function misshapen(
  endpoint: Refused['endpoint'],
  errors: Refused['errors'],
  example: string,
): Hint {
  const missing = namesOf(errors.filter(({ message }) => message === 'is required'));
  const wrong = namesOf(errors.filter(({ message }) => message.startsWith('must be')));
  const parts = [
    ...(missing.length > 0 ? [`Add ${listed(missing)} to each event.`] : []),
    ...(wrong.length > 0 ? [wrongWords(wrong, endpoint)] : []),
  ];
  const text = parts.join(' ') || 'Each event needs what the example below has.';
  return {
    text: `${text} ${endpoint === 'events' ? 'One wrong event refuses the whole batch.' : ''}`.trim(),
    example,
  };
}

function wrongWords(names: readonly string[], endpoint: Refused['endpoint']): string {
  const type = endpoint === 'collect' ? 'type' : 'event_type';
  return `Mend the kind of ${listed(names)}: source and ${type} are texts, data is an object.`;
}

/** The last part of each path, once: `[3].event_type` is event_type. */
function namesOf(errors: Refused['errors']): string[] {
  const names = errors.map(({ path }) => path.split(/[.\]]/).at(-1) || 'the event itself');
  return [...new Set(names)].slice(0, 5);
}

/** What came, as a value to look into; undefined where it is none. */
export function parsed(endpoint: Refused['endpoint'], payload: string): object | undefined {
  for (const read of endpoint === 'collect' ? [decodeURIComponent, atob] : [String]) {
    try {
      const value: unknown = JSON.parse(read(payload));
      if (typeof value === 'object' && value !== null) return value;
    } catch {
      // Then it is shown as it came.
    }
  }
  return undefined;
}
