import createFetchClient, { type ParamsOption, type RequestBodyOption } from 'openapi-fetch'
import type {
  ErrorResponse,
  HttpMethod,
  MediaType,
  PathsWithMethod,
  RequiredKeysOf,
  ResponseObjectMap,
  SuccessResponse,
} from 'openapi-typescript-helpers'
import type { components, paths } from '../../contract/types.ts'
import { AccessToken } from './access-token.ts'
import { CallError, withKey } from './call-error.ts'
import { Deadline, type Send, sendWithRetries } from './send-request.ts'

export interface ClientOptions {
  /** The address of the service, such as `https://partners.example`. */
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** The scopes of the access tokens; by default all scopes of the client. */
  readonly scopes?: readonly components['schemas']['Scope'][] | undefined
  /** How long a call may take in all, with its repeats; by default 60,000. */
  readonly timeoutMs?: number | undefined
  /** Replaces the `fetch` of the runtime. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
}

export interface CallOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined
  /** How long this call may take in all, with its repeats. */
  readonly timeoutMs?: number | undefined
  /** Identifies an order, so that no retry places it twice. Without it, the client makes one. */
  readonly idempotencyKey?: string | undefined
}

/** What a call is given, which can be left out if the operation needs nothing. */
type Init<Operation> =
  RequiredKeysOf<Given<Operation>> extends never
    ? [init?: Given<Operation>]
    : [init: Given<Operation>]

type Given<Operation> = ParamsOption<Operation> &
  RequestBodyOption<Operation> &
  CallOptions & { readonly headers?: Readonly<Record<string, string>> | undefined }

type Call<Method extends HttpMethod> = <Path extends PathsWithMethod<paths, Method>>(
  path: Path,
  ...init: Init<paths[Path][Method]>
) => Promise<Result<paths[Path][Method]>>

type Answers = Readonly<Record<string | number, unknown>>

/** Either `data` or `error`, and the answer. An order also has its key. */
type Result<Operation> = Operation extends { readonly responses: Answers }
  ? (
      | {
          readonly data: SuccessResponse<ResponseObjectMap<Operation>, MediaType>
          readonly error?: never
        }
      | {
          readonly data?: never
          readonly error: Coded<ErrorResponse<ResponseObjectMap<Operation>, MediaType>>
        }
    ) & { readonly response: Response; readonly idempotencyKey?: string }
  : never

/** An internal error has no code. It gets the key, so that you can branch on the code of any error. */
type Coded<Problem> = Problem extends { readonly code: unknown } | { readonly error: unknown }
  ? Problem
  : Problem & { readonly code?: never }

/** The paths whose answers are pages of a list. */
type PagedPath = {
  [Path in keyof paths]: paths[Path] extends { readonly get: Paged<unknown> } ? Path : never
}[keyof paths]

interface Paged<Item> {
  readonly responses: {
    readonly 200: {
      readonly content: {
        readonly 'application/json': { readonly items: readonly Item[]; readonly has_next: boolean }
      }
    }
  }
}

type ItemOf<Path extends PagedPath> = paths[Path] extends { readonly get: Paged<infer Item> }
  ? Item
  : never

export interface Client {
  readonly GET: Call<'get'>
  readonly POST: Call<'post'>
  readonly PUT: Call<'put'>
  /** All items of a list, page by page. A page that is an error ends the loop with a `CallError`. */
  pages<Path extends PagedPath>(
    path: Path,
    ...init: Init<paths[Path]['get']>
  ): AsyncGenerator<ItemOf<Path>, void, undefined>
}

/** Placing an order is the one operation that needs a key so that it can be repeated. */
const orderPath = '/v1/investors/{investorId}/share-purchases' satisfies keyof paths
const keyHeader = 'Idempotency-Key'

/** What a call without its types looks like. */
type AnyInit = CallOptions & {
  readonly params?: { readonly query?: object; readonly header?: { readonly [keyHeader]?: string } }
}

/**
 * Creates a client of the partner API. It requests access tokens when it needs them, and repeats
 * requests as the retry rules of the specification say.
 */
export function createClient(options: ClientOptions): Client {
  const { timeoutMs = 60_000, fetch = (request) => globalThis.fetch(request) } = options
  for (const name of ['baseUrl', 'clientId', 'clientSecret'] as const)
    if (!options[name]) throw new TypeError(`createClient needs ${name}, which is empty.`)
  // The message does not repeat the value: it can be a secret in the wrong place.
  if (!/^https?:\/\/[^/]/i.test(options.baseUrl))
    throw new TypeError(
      'createClient needs a baseUrl with https:// or http://, such as https://partners.example.',
    )
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const { clientId, clientSecret, scopes } = options
  const token = new AccessToken({ baseUrl, clientId, clientSecret, scopes }, fetch)
  const inner = createFetchClient<paths>({ baseUrl })

  async function call(method: 'get' | 'post' | 'put', path: string, given: AnyInit = {}) {
    const { signal, timeoutMs: ownTimeoutMs = timeoutMs, idempotencyKey: own, ...init } = given
    const idempotencyKey =
      method === 'post' && path === orderPath
        ? (own ?? init.params?.header?.[keyHeader] ?? crypto.randomUUID())
        : undefined
    const deadline = new Deadline(ownTimeoutMs, signal)
    const send = path.startsWith('/v1/') ? withToken(deadline) : fetch
    try {
      const result = await inner.request(
        method,
        path as never,
        {
          ...init,
          params: {
            ...init.params,
            ...(idempotencyKey !== undefined && {
              header: { ...init.params?.header, [keyHeader]: idempotencyKey },
            }),
          },
          fetch: (request: Request) => sendWithRetries(request, deadline, send),
        } as never,
      )
      const { status } = result.response
      // Between you and the service, a proxy can refuse a request without saying why.
      const error = status >= 400 && { error: result.error || withoutBody(status) }
      return { ...result, ...error, ...(idempotencyKey !== undefined && { idempotencyKey }) }
    } catch (error) {
      throw asCallError(error, idempotencyKey)
    }
  }

  /** A token that the service refuses is replaced once in a call. */
  function withToken(deadline: Deadline): Send {
    let isRenewed = false
    const authorize = async (request: Request, value: string) => {
      const authorized = request.clone()
      authorized.headers.set('authorization', `Bearer ${value}`)
      return fetch(authorized)
    }
    return async (request) => {
      const value = await deadline.limit(token.get())
      const answer = await authorize(request, value)
      if (answer.status !== 401 || isRenewed) return answer
      isRenewed = true
      token.drop(value)
      // Otherwise its connection would stay busy until the answer is garbage.
      await answer.body?.cancel()
      return authorize(request, await deadline.limit(token.get()))
    }
  }

  async function* pages(path: string, given: AnyInit = {}) {
    const query: Readonly<Record<string, unknown>> = { page: 1, ...given.params?.query }
    for (let page = Number(query['page']); ; page++) {
      const params = { ...given.params, query: { ...query, page } }
      const { data, error, response } = await call('get', path, { ...given, params })
      if (!data) throw problemError(response.status, error)
      const { items, has_next } = data as { items: readonly unknown[]; has_next: boolean }
      yield* items
      if (!has_next) return
    }
  }

  const client = {
    GET: (path: string, init?: AnyInit) => call('get', path, init),
    POST: (path: string, init?: AnyInit) => call('post', path, init),
    PUT: (path: string, init?: AnyInit) => call('put', path, init),
    pages,
  }
  return client as unknown as Client
}

function withoutBody(status: number) {
  return { title: `The service answered ${status} without a body.`, status }
}

/** The error of a call, with the key of its order. */
function asCallError(error: unknown, idempotencyKey: string | undefined): unknown {
  if (error instanceof CallError) return withKey(error, idempotencyKey)
  // openapi-fetch could not read a body. Other errors come from the arguments, before a request.
  // Jest has another SyntaxError than Node.js.
  if (Object(error).name !== 'SyntaxError') return error
  const message =
    'The answer is not JSON, so it probably comes from a proxy and not from the service.'
  return new CallError('AnswerError', message, { idempotencyKey, cause: error })
}

function problemError(status: number, problem: unknown): CallError {
  const { title, detail, code } = Object(problem) as components['schemas']['Problem']
  const message = [title ?? `The service answered ${status}.`, detail ?? []].flat().join(' ')
  return new CallError('ProblemError', message, { status, code })
}
