type Json = Readonly<Record<string, unknown>>

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly example?: unknown
}

interface MediaType {
  readonly examples?: Readonly<Record<string, { readonly value: Json }>>
}

type Content = Readonly<Record<string, MediaType>>

export interface Operation {
  readonly operationId: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly unknown[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, unknown>>
}

export type PathItem = Readonly<Record<string, Operation>> & { readonly parameters?: unknown }

export interface Document {
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
}

/** A request that the document describes and the demo service accepts. */
export interface SampleRequest {
  readonly operationId: string
  readonly method: string
  readonly url: string
  readonly authentication: 'bearer' | 'basic' | 'none'
  readonly scopes: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly json?: Json
  readonly form?: Readonly<Record<string, string>>
  readonly answer: 'json' | 'text' | 'bytes'
}

export interface Place {
  readonly path: string
  readonly method: string
}

export function sampleRequest(document: Document, { path, method }: Place): SampleRequest {
  const item = document.paths[path]
  const operation = item?.[method]
  if (!operation) throw new Error(`The contract has no ${method} ${path}.`)
  const own = resolveAll<Parameter>(document, operation.parameters)
  const shared = resolveAll<Parameter>(document, item.parameters as readonly unknown[] | undefined)
  const { authentication, scopes } = readSecurity(operation)
  return {
    operationId: operation.operationId,
    method: method.toUpperCase(),
    url: urlOf(document, path, [...shared, ...own]),
    authentication,
    scopes,
    headers: retryHeaders(own),
    ...readBody(operation),
    answer: readAnswer(document, operation),
  }
}

function resolveAll<Part>(document: Document, parts: readonly unknown[] = []): Part[] {
  return parts.map((part) => resolve<Part>(document, part))
}

/**
 * Follows a $ref without unescaping, because no name in `components` has a character that needs it.
 */
function resolve<Part>(document: Document, part: unknown): Part {
  const { $ref } = part as { readonly $ref?: string }
  if ($ref === undefined) return part as Part
  const keys = $ref.slice('#/'.length).split('/')
  return keys.reduce<unknown>((node, key) => (node as Json)[key], document) as Part
}

function urlOf({ servers }: Document, path: string, parameters: readonly Parameter[]): string {
  const exampleOf = (wanted: string) =>
    encodeURIComponent(String(parameters.find(({ name }) => name === wanted)?.example))
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => `${name}=${exampleOf(name)}`)
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleOf(name))
  return `${servers[0]?.url}${filled}${query.length > 0 ? '?' : ''}${query.join('&')}`
}

function readSecurity({ security }: Operation): Pick<SampleRequest, 'authentication' | 'scopes'> {
  const { oauth2, clientSecretBasic } = security[0] ?? {}
  if (clientSecretBasic) return { authentication: 'basic', scopes: [] }
  return oauth2
    ? { authentication: 'bearer', scopes: oauth2 }
    : { authentication: 'none', scopes: [] }
}

/**
 * Returns only the Idempotency-Key, which belongs in every order. Only callers with a cache or a
 * log use the other headers.
 */
function retryHeaders(parameters: readonly Parameter[]): Readonly<Record<string, string>> {
  const key = parameters.find(({ name }) => name === 'Idempotency-Key')
  return key ? { [key.name]: String(key.example) } : {}
}

function readBody({ requestBody }: Operation): Pick<SampleRequest, 'json' | 'form'> {
  if (!requestBody?.required) return {}
  const [[mediaType, { examples = {} }] = ['', {} as MediaType]] = Object.entries(
    requestBody.content,
  )
  const [example] = Object.values(examples)
  if (!example) throw new Error('A request body has no example.')
  return mediaType === 'application/json'
    ? { json: example.value }
    : { form: example.value as Readonly<Record<string, string>> }
}

function readAnswer(document: Document, { responses }: Operation): SampleRequest['answer'] {
  const success = responses['200'] ?? responses['201']
  const { content = {} } = resolve<{ readonly content?: Content }>(document, success)
  const [mediaType = ''] = Object.keys(content)
  if (mediaType === 'application/json') return 'json'
  return mediaType.startsWith('image/') ? 'bytes' : 'text'
}
