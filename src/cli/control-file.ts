import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAlive } from '../open-service/is-alive.ts'
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
  const path = pathIn(dataDirectory)
  const temporary = `${path}.${control.pid}`
  await writeFile(temporary, `${JSON.stringify(control)}\n`, { mode: 0o600 })
  // A command that looks at this moment finds the whole file or none. It is not synced: after a power loss its service
  // is gone, and with it all that the file says.
  await rename(temporary, path)
}

/** undefined when no service runs on the directory: after a crash the file may still be there. */
export async function readControlFile(dataDirectory: string): Promise<Control | undefined> {
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
