import { type DeepPartial, type FieldErrors, validationProblem } from './problem.ts'

/** A request that does not fit its shape. */
export class Unfit<Value> {
  /** The parts that can be read, which are validated, too. */
  readonly parts: DeepPartial<Value>
  /** What is wrong with the others. */
  readonly errors: FieldErrors

  constructor(parts: DeepPartial<Value>, errors: FieldErrors) {
    this.parts = parts
    this.errors = errors
  }
}

/** A request as a use case gets it. It reports what is wrong with the shape together with all other errors. */
export type Sent<Value> = Value | Unfit<Value>

/** Translates a request. */
export function readSent<From, To>(
  sent: Sent<From>,
  read: (value: From) => To,
  readParts: (parts: DeepPartial<From>) => DeepPartial<NoInfer<To>>,
): Sent<To> {
  return sent instanceof Unfit ? new Unfit(readParts(sent.parts), sent.errors) : read(sent)
}

/** Everything that can be read. */
export function partsOf<Value>(sent: Sent<Value>): DeepPartial<Value> {
  return sent instanceof Unfit ? sent.parts : (sent as DeepPartial<Value>)
}

/** What cannot be read comes first. It takes precedence, because nobody can know whether it is valid. */
export function errorsOf<Value>(sent: Sent<Value>, found: FieldErrors): FieldErrors {
  return sent instanceof Unfit ? { ...sent.errors, ...found, ...sent.errors } : found
}

/** Reports all errors together. Afterwards the request is known to fit its shape. */
export function requireFit<Value>(sent: Sent<Value>, found: FieldErrors): asserts sent is Value {
  const errors = errorsOf(sent, found)
  if (Object.keys(errors).length > 0) throw validationProblem(errors)
}
