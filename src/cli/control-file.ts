import { join } from 'node:path'
import { parseJson } from '../domain/text.ts'
import { requireOwnDirectory, unlessGone, writeFileDurably } from '../machine/durable-files.ts'
import { readdir, readText, rm } from '../machine/files.ts'
import { isAlive } from '../machine/processes.ts'
import { randomUUID } from '../machine/random.ts'
import { rethrowWithPath } from './files/read-file.ts'

/** Commands find the running service through this file. Only its owner may read it, because it contains the token. */
export interface Control {
  readonly url: string
  readonly token: string
  /** Identifies the instance, because another process may use its port now. */
  readonly instanceId: string
  readonly pid: number
}

/** The name in which a file is written before it becomes `control.json`. */
const unfinishedName = /^control\.json\.[\da-f-]{36}\.tmp$/

export async function writeControlFile(dataDirectory: string, control: Control): Promise<void> {
  await requireOwnDirectory(dataDirectory)
  const path = pathIn(dataDirectory)
  await writeFileDurably(path, `${JSON.stringify(control)}\n`, `${path}.${randomUUID()}.tmp`)
}

/** Removes files that killed processes left behind. Not for instances on a database, which may be writing theirs. */
export async function removeUnfinishedControlFiles(dataDirectory: string): Promise<void> {
  const names = (await readdir(dataDirectory)).filter((name) => unfinishedName.test(name))
  for (const name of names) await rm(join(dataDirectory, name), { force: true })
}

/** undefined if no service is running; after a crash the file may still exist. */
export async function readControlFile(dataDirectory: string): Promise<Control | undefined> {
  await requireOwnDirectory(dataDirectory)
  const control = await readAny(dataDirectory)
  return control && isAlive(control.pid) ? control : undefined
}

/** Instances on a database may share a directory, so the file may belong to another instance. */
export async function removeControlFile(dataDirectory: string, instanceId: string): Promise<void> {
  const control = await unlessGone(readAny(dataDirectory))
  if (control?.instanceId === instanceId) await rm(pathIn(dataDirectory), { force: true })
}

async function readAny(dataDirectory: string): Promise<Control | undefined> {
  const path = pathIn(dataDirectory)
  try {
    return parse(await readText(path).catch(rethrowWithPath(path)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function pathIn(dataDirectory: string): string {
  return join(dataDirectory, 'control.json')
}

/** A power loss can leave an empty file; then no service is running. */
function parse(text: string): Control | undefined {
  const control = parseJson(text) as Control | null | undefined
  return typeof control?.pid === 'number' ? control : undefined
}
