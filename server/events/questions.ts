/**
 * What may be asked about events: how much of something there was between two moments. Whoever
 * asks makes a list of questions and gets a list of answers, so that a thousand questions take no
 * more queries than one.
 */
export interface Question {
  tenant: string;
  event_type: string;
  source?: string | undefined;
  /** Milliseconds since 1970; the first moment belongs to the window, the last does not. */
  from: number;
  to: number;
  measure: Measure;
}

export type Measure =
  | { of: 'count' }
  /** Events that have nothing at the path; null is nothing too. */
  | { of: 'lacking'; path: string }
  | { of: 'unique' | 'sum' | 'avg' | 'min' | 'max'; path: string };

/**
 * A number; null where there was nothing to add up, or to take an average or an extreme of; or the fault of a
 * query, which spoils only the answers that it was for.
 */
export type Answer = number | null | Error;

export type AnswerQuestions = (questions: readonly Question[]) => Promise<Answer[]>;
