import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** A file that is written anew would be compiled anew. */
export function writeIfChanged(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}
