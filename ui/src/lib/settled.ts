/** A form once it is saved: as it is stored, but for what was typed since it was sent. */
export function settled<Form extends object>(
  now: Form,
  { sent, stored }: { sent: Form; stored: Form },
): Form {
  const isSame = (key: string) => textOf(now, key) === textOf(sent, key);
  const typed = Object.entries(now).filter(([key]) => !isSame(key));
  return { ...stored, ...(Object.fromEntries(typed) as Partial<Form>) };
}

const textOf = (form: object, key: string) => JSON.stringify(Reflect.get(form, key));
