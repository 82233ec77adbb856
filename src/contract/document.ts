/** An OpenAPI document, as far as requests, answers and events are compared with it. */
export interface ApiDocument {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, PathItem>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: {
    readonly responses: Readonly<Record<string, ResponseObject>>
    readonly schemas: Readonly<Record<string, unknown>>
  }
}

export type PathItem = Readonly<Partial<Record<(typeof methods)[number], Operation>>> & {
  readonly parameters?: readonly unknown[]
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly unknown[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, unknown>>
}

export interface ResponseObject {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Content
}

export type Content = Readonly<Record<string, MediaType>>

export interface MediaType {
  readonly schema?: Schema
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

/** The parts of a schema that are read here. A validator reads all. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly const?: string
  readonly enum?: readonly string[]
  readonly 'x-extensible-enum'?: readonly string[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
}

/** A path of keys from the root of a document. */
export type Place = readonly string[]

/** A part of a document and its place. If a $ref led to the part, the place is that of the target. */
export interface Located<Part> {
  readonly part: Part
  readonly place: Place
}

export function locate<Part>(document: ApiDocument, place: Place): Located<Part> | undefined {
  const part = place.reduce<unknown>(
    (node, key) => (node as Readonly<Record<string, unknown>> | undefined)?.[key],
    document,
  )
  if (part === undefined) return undefined
  const { $ref } = part as { readonly $ref?: string }
  return $ref === undefined ? { part: part as Part, place } : locate(document, placeOf($ref))
}

/** Splits a $ref without unescaping, because no name in `components` has a character that needs it. */
export function placeOf($ref: string): Place {
  return $ref.slice('#/'.length).split('/')
}

export function pointerOf(place: Place): string {
  const keys = place.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1'))
  return `#/${keys.map(encodeURIComponent).join('/')}`
}

export const methods = ['get', 'post', 'put', 'delete'] as const

export interface ListedOperation {
  readonly operation: Operation
  readonly method: Uppercase<(typeof methods)[number]>
  readonly template: string
  readonly place: Place
}

/** In the order of the document. */
export function listOperations({ paths }: ApiDocument): ListedOperation[] {
  return Object.entries(paths).flatMap(([template, item]) =>
    Object.keys(item).flatMap((key) => {
      const name = methods.find((method) => method === key)
      const operation = name && item[name]
      if (!operation) return []
      const method = name.toUpperCase() as Uppercase<typeof name>
      return [{ operation, method, template, place: ['paths', template, name] }]
    }),
  )
}

export interface DocumentedAnswer {
  readonly operation: string
  readonly status: number
  /** null for an answer without a code. */
  readonly code: string | null
}

/** @param names the properties that may name an error. OAuth has its own */
export function listAnswers(
  document: ApiDocument,
  names: readonly string[] = ['code'],
): DocumentedAnswer[] {
  return listOperations(document).flatMap(({ place, operation }) =>
    Object.keys(operation.responses).flatMap((status) => {
      const response = locate<ResponseObject>(document, [...place, 'responses', status])
      const schemas = Object.values(response?.part.content ?? {}).map(({ schema = {} }) => schema)
      const codes = schemas.flatMap(codesIn)
      const all: readonly (string | null)[] = codes.length === 0 ? [null] : codes
      const answer = { operation: operation.operationId, status: Number(status) }
      return all.map((code) => ({ ...answer, code }))
    }),
  )

  function codesIn({ $ref, oneOf, allOf, properties }: Schema): readonly string[] {
    if ($ref !== undefined) return codesIn(locate<Schema>(document, placeOf($ref))?.part ?? {})
    if (oneOf) return oneOf.flatMap(codesIn)
    // Of these two schemas, the first is common to all errors, and the second names the code.
    const own = allOf?.[1]?.properties ?? properties
    const code = names.map((name) => own?.[name]).find((found) => found !== undefined)
    // A list that can grow is an extensible enumeration.
    return code?.['x-extensible-enum'] ?? code?.enum ?? (code?.const ? [code.const] : [])
  }
}
