import type { Scope } from './oauth/scope.ts'
import type { ProblemCode } from './problem-code.ts'

/**
 * What is wrong with each field, as the end of a sentence, by its path in the domain (`profile.birthDate`). The wire turns
 * the paths into those that the caller sent (spec: Errors).
 */
export type FieldErrors = Readonly<Record<string, string>>

/**
 * The readable parts of a value that does not fit its shape. An undefined member was sent but not
 * readable; an absent member was not sent. Validation uses it to report all errors together.
 */
export type DeepPartial<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly (DeepPartial<Item> | undefined)[]
    : { readonly [Name in keyof Value]?: DeepPartial<Value[Name]> | undefined }

export interface ProblemExtra {
  readonly errors?: FieldErrors
  /** Paths of fields that `detail` names, besides those in `errors`. */
  readonly fields?: readonly string[]
  readonly requiredScopes?: readonly Scope[]
  readonly retryAfterSeconds?: number | undefined
  readonly cause?: unknown
}

/**
 * A refusal of a request. People see `detail`, so it must not contain secrets, IBANs, tax ids or
 * e-mail addresses.
 */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly extra: ProblemExtra

  constructor(code: ProblemCode, detail: string, extra: ProblemExtra = {}) {
    super(detail, extra.cause === undefined ? undefined : { cause: extra.cause })
    this.name = 'Problem'
    this.code = code
    this.extra = extra
  }
}

export const representationConsentPath = 'profile.consents.representationAuthorization.given'

/** Fields whose errors have their own code. */
const codesOfFields: Readonly<Record<string, ProblemCode>> = {
  [representationConsentPath]: 'REPRESENTATION_CONSENT_REQUIRES_COMPANY',
}

/**
 * Returns the code of an invalid field that has its own, otherwise VALIDATION_ERROR (spec: Errors).
 * @param pathOf turns a path of the domain into one of `errors`
 */
export function codeOfErrors(
  errors: FieldErrors,
  pathOf: (path: string) => string = (path) => path,
): ProblemCode {
  const own = Object.entries(codesOfFields).find(([path]) => Object.hasOwn(errors, pathOf(path)))
  return own?.[1] ?? 'VALIDATION_ERROR'
}

/** Reports all errors together. */
export function validationProblem(errors: FieldErrors): Problem {
  return new Problem(codeOfErrors(errors), describeInvalidFields(errors), { errors })
}

export function describeInvalidFields(errors: FieldErrors): string {
  return `These fields are not valid: ${Object.keys(errors).join(', ')}.`
}

export function requireValid(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw validationProblem(errors)
}

/** Possible errors by path. Values that are not texts mean that the field is valid. */
export type PossibleErrors = Readonly<Record<string, string | false | undefined>>

export function collectErrors(faults: PossibleErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(faults).filter((entry): entry is [string, string] => Boolean(entry[1])),
  )
}
