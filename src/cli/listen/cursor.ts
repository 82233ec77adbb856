import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Infer, is, nonempty, nullable, object, refine, string } from 'superstruct'
import { Problem } from '../../domain/problem.ts'
import { parseTimestamp } from '../../domain/timestamp.ts'
import {
  makePrivateDirectory,
  writeFileDurably,
  writeFirstFileDurably,
} from '../../open-service/disk.ts'

const cursor = object({
  organization_id: string(),
  forward_to: string(),
  signing_secret: nonempty(string()),
  /** Id of the last event that is done with. */
  after: nullable(string()),
  /** When that event was created, where to go on once it has been purged; where to begin as long as there is none. */
  since: refine(string(), 'instant', (text) => parseTimestamp(text) !== undefined),
})

/** What is kept of a listener, so that it goes on where it was, with the secret that the receiver knows. */
export type Cursor = Infer<typeof cursor>

/** One for each organisation and receiver. */
export function cursorPathOf(
  dataDirectory: string,
  { organization_id, forward_to }: Pick<Cursor, 'organization_id' | 'forward_to'>,
): string {
  const name = createHash('sha256').update(`${organization_id} ${forward_to}`).digest('hex')
  return join(dataDirectory, 'listen', `${name.slice(0, 32)}.json`)
}

/** undefined when there is none yet. */
export async function readCursor(path: string): Promise<Cursor | undefined> {
  try {
    return requireCursor(JSON.parse(await readFile(path, 'utf8')), path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error instanceof SyntaxError ? damaged(path) : error
  }
}

/** Readable by its owner only: the signing secret is in it. */
export async function writeCursor(path: string, kept: Cursor): Promise<void> {
  await writeFileDurably(path, render(kept), `${path}.${process.pid}`)
}

/** False when another listener, or --print-secret, which waits for no lock, has begun one meanwhile. */
export async function beginCursor(path: string, first: Cursor): Promise<boolean> {
  await makePrivateDirectory(dirname(path))
  return writeFirstFileDurably(path, render(first), `${path}.${randomUUID()}`)
}

function render(cursor: Cursor): string {
  return `${JSON.stringify(cursor, undefined, 2)}\n`
}

function requireCursor(json: unknown, path: string): Cursor {
  if (is(json, cursor)) return json
  throw damaged(path)
}

function damaged(path: string): Problem {
  return new Problem(
    'VALIDATION_ERROR',
    `${path} is no cursor of a listener. Remove it to begin anew, with another signing secret.`,
  )
}
