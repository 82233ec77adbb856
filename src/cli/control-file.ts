import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileDurably } from '../open-service/disk.ts'
import { isAlive } from '../open-service/is-alive.ts'
import { requireOwnDirectory } from '../open-service/require-own-directory.ts'
import { readBytes } from './files/read-bytes.ts'

/** How a command finds the service that runs on a data directory. Readable by its owner only: the token is in it. */
export interface Control {
  readonly url: string
  readonly token: string
  /** What the endpoint at the address has to say it is. */
  readonly instanceId: string
  readonly pid: number
}

export async function writeControlFile(dataDirectory: string, control: Control): Promise<void> {
  await requireOwnDirectory(dataDirectory)
  const path = pathIn(dataDirectory)
  await writeFileDurably(path, `${JSON.stringify(control)}\n`, `${path}.${randomUUID()}.tmp`)
}

/** undefined when no service runs on the directory: after a crash the file may still be there. */
export async function readControlFile(dataDirectory: string): Promise<Control | undefined> {
  await requireOwnDirectory(dataDirectory)
  const control = await readAny(dataDirectory)
  return control && isAlive(control.pid) ? control : undefined
}

/** That of this instance: on a database, several may have been given one directory. */
export async function removeControlFile(dataDirectory: string, instanceId: string): Promise<void> {
  const control = await readAny(dataDirectory)
  if (control?.instanceId === instanceId) await rm(pathIn(dataDirectory), { force: true })
}

async function readAny(dataDirectory: string): Promise<Control | undefined> {
  try {
    return parse((await readBytes(pathIn(dataDirectory))).toString())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function pathIn(dataDirectory: string): string {
  return join(dataDirectory, 'control.json')
}

/** undefined for one that a power loss has emptied: its service is gone then, too. */
function parse(text: string): Control | undefined {
  try {
    const control = JSON.parse(text)
    return typeof control?.pid === 'number' ? control : undefined
  } catch {
    return undefined
  }
}
