import { Array as Arr, Integer, Null, Object as Obj, type Static, String as Str, type TSchema } from 'typebox';

/** Every answer of the API, errors included. */
export interface Envelope<T = unknown> {
  code: number;
  message: string;
  data: T;
}

/** The schema of an answer whose payload is `data`. */
export const envelopeOf = <T extends TSchema>(data: T) => Obj({ code: Integer(), message: Str(), data });

/** What a 400 says of each field, so that a form can put it there. */
export const FieldErrors = Obj({
  fields: Arr(Obj({ field: Str(), message: Str() })),
});
export type FieldErrors = Static<typeof FieldErrors>;

/** An answer without data: a refusal, or a success that has nothing to say. */
export const EmptyAnswer = envelopeOf(Null());
/** The answer to a call whose query or body is not what it should be. */
export const InvalidAnswer = envelopeOf(FieldErrors);
