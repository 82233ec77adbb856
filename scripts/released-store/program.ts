import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

// biome-ignore lint/suspicious/noExplicitAny: answers of a released program have any shape.
export type Json = any

/** A released program on one data directory: what it can do is known from its commands and its partner API only. */
export interface Program {
  run(...argv: string[]): Promise<Json>
  serve(...argv: string[]): Promise<Serving>
}

export interface Serving {
  readonly url: string
  stop(): Promise<void>
}

export interface ProgramOptions {
  /** How to start it, as words. */
  readonly words: readonly string[]
  readonly dataDirectory: string
  /** Without one, the store makes its own key. */
  readonly keyFile?: string | undefined
}

/** Tokens name their issuer, so it has to be the same wherever the store is served. */
export const baseUrl = 'http://partner-api.example'

export function programOf({ words, dataDirectory, keyFile }: ProgramOptions): Program {
  const [file = '', ...before] = words
  const key = keyFile === undefined ? [] : ['--encryption-key-file', keyFile]
  const options = ['--json', '--data-dir', dataDirectory, ...key]
  return {
    async run(...argv) {
      const running = promisify(execFile)(file, [...before, ...argv, ...options], { env })
      const { stdout } = await running.catch((error) => {
        throw new Error(`${argv.join(' ')}: ${error.stdout}${error.stderr}`)
      })
      return JSON.parse(stdout)
    },
    async serve(...argv) {
      const settings = ['--port', '0', '--base-url', baseUrl, '--log-level', 'error', ...argv]
      const child = spawn(file, [...before, 'serve', ...settings, ...options], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      // It would go on when this script fails.
      process.once('exit', () => child.kill())
      const [line] = await once(createInterface({ input: child.stdout }), 'line')
      return { url: JSON.parse(line).listening_url, stop: () => stop(child) }
    },
  }
}

const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('COOPSHARE_')),
)

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'close')
  child.kill('SIGTERM')
  await ended
}

export type Send = (
  method: string,
  path: string,
  options?: { readonly body?: unknown; readonly key?: string },
) => Promise<{ readonly status: number; readonly body: Json }>

/** @returns what sends requests with a token of this client */
export async function signIn(
  { url }: Serving,
  { client_id, client_secret }: { readonly client_id: string; readonly client_secret: string },
): Promise<Send> {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })
  const answer = await fetch(`${url}/oauth2/token`, { method: 'POST', body: form })
  if (answer.status !== 200) throw new Error(`No token: ${await answer.text()}`)
  const { access_token } = (await answer.json()) as Json
  return async (method, path, { body, key } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${access_token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return { status: response.status, body: JSON.parse(text) }
  }
}

export async function until(isReached: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 120_000
  while (!(await isReached())) {
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${isReached}`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
