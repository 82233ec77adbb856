/** The parts of a Postman collection v2.1 that are used here. */
export interface Pair {
  readonly key: string
  readonly value: string
  readonly disabled?: boolean
}

export interface Request {
  readonly method: string
  readonly url: {
    readonly path: readonly string[]
    readonly query: readonly Pair[]
    readonly variable: readonly Pair[]
  }
  readonly header: readonly Pair[]
  readonly description?: { readonly content?: string }
  readonly body?: {
    readonly mode?: string
    readonly raw?: string
    readonly urlencoded?: readonly Pair[]
  }
  readonly auth?: unknown
}

export interface SavedResponse {
  readonly name: string
  readonly code: number
  readonly status: string
  readonly header: readonly Pair[]
  readonly body?: string
}

export interface Item {
  readonly name: string
  readonly request: Request
  readonly response: readonly SavedResponse[]
}

export interface Folder {
  readonly item: readonly (Item | Folder)[]
}

export function scriptOn(listen: 'prerequest' | 'test', exec: readonly string[]) {
  return { listen, script: { type: 'text/javascript', exec } }
}
