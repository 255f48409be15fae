import { z } from 'zod';

/** Shapes that the API has in many places. */
export const time = z.iso.datetime();

const number = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max));

const asNumber = (minimum: number, maximum: number, fallback: number | string) => ({
  ...{ type: 'integer' as const, minimum, maximum, description: `Default ${fallback}` },
});

/** A whole number out of a query string, where everything is text. */
export const whole = (min: number, max: number, fallback: number) =>
  number(min, max)
    .default(fallback)
    .meta(asNumber(min, max, fallback));

const skip = whole(0, 999_999_999_999_999, 0);

export const paging = z.strictObject({
  skip,
  limit: whole(1, 1000, 100),
});

/** Where a list goes on, as the header `X-Next-Cursor` of the page before says it. */
export const cursor = z
  .string()
  .regex(
    /^\d{1,15}\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
    'must be the X-Next-Cursor of a page',
  )
  .transform((text) => ({ at: Number(text.split('.')[0]), id: text.slice(text.indexOf('.') + 1) }))
  .optional()
  .meta({
    type: 'string',
    description: 'The `X-Next-Cursor` of the page before. Quicker than `skip`, on every page',
  });

export const cursorPaging = paging.extend({ cursor });

/** Of a list that is short by itself: all of it, unless somebody wants a part. */
export const partly = z.strictObject({
  skip,
  limit: number(1, 1000)
    .optional()
    .meta(asNumber(1, 1000, 'all')),
});

/** Yes or no out of a query string. */
export const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional()
  .meta({ type: 'boolean', enum: undefined });

/** Ids are kept in small letters, and found by any. */
export const uuid = z.uuid().transform((text) => text.toLowerCase());

/** A time out of a query string, in milliseconds since 1970. */
export const moment = z.iso.datetime({ offset: true }).transform((value) => Date.parse(value));

export const timeRange = z.enum(['1h', '24h', '7d', '30d']);

/** A body that may be left out, since nothing in it is required. */
export const optionalBody = <Body extends z.ZodType>(body: Body) =>
  z.preprocess((sent) => sent ?? {}, body).meta({ 'x-optional': true });

export type Cursor = NonNullable<z.infer<typeof cursor>>;
export type CursorPaging = z.infer<typeof cursorPaging>;
export type Paging = z.infer<typeof paging>;
export type TimeRange = z.infer<typeof timeRange>;
