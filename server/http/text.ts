export const JSON_TYPE = 'application/json; charset=utf-8';

/** For answers that a store has made as text already, with payloads as they were sent. */
export const asText = () => (text: unknown) => text as string;
