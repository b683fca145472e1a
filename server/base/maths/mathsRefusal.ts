/** Why an input cannot be computed; the route turns it into a refusal that names `field`. */
type MathsRefusalReason =
  /** A side of the backtest holds no symbol. */
  | 'emptySide'
  /** The same symbol appears twice, on one side or on both. */
  | 'duplicateSymbol'
  /** A figure is not finite, or outside its range. */
  | 'badNumber'
  /** `start` lies after `end`. */
  | 'reversedDates'
  /** Fewer than two closes at which every symbol has a usable candle. */
  | 'noCommonHistory'
  /** Columns of one input differ in length, or times do not ascend. */
  | 'badColumns';

/**
 * Thrown for input that has no answer at all. A figure that is merely undefined is `null` instead.
 * Structured cloning between threads drops `reason` and `field`: a worker has to hand them over itself.
 */
export class MathsRefusal extends Error {
  override readonly name = 'MathsRefusal';

  constructor(
    readonly reason: MathsRefusalReason,
    /** Name of the input at fault, as the caller spelled it. */
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}
