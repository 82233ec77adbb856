import { realpath } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Fault } from './faults.ts'
import type { Path } from './located-document.ts'
import { readImageFile } from './read-image-file.ts'

/** Puts what the image files hold in the place of their names, which are relative to `file`. What is no name is left to the shape. */
export async function readImageFiles(
  file: string,
  cooperatives: unknown,
  path: Path,
): Promise<Fault[]> {
  const folder = await realpath(dirname(resolve(file)))
  const faults: Fault[] = []
  for (const { holder, key, path: place } of imagePlaces(cooperatives, path)) {
    const name = holder[key]
    if (typeof name !== 'string') continue
    const image = await readImageFile(folder, name)
    if (typeof image === 'string') faults.push({ path: place, fault: image })
    holder[key] = typeof image === 'string' ? null : image
  }
  return faults
}

interface ImagePlace {
  readonly holder: Record<string, unknown>
  readonly key: string
  readonly path: Path
}

const imageKeys = ['hero_image', 'card_image', 'logo_image'] as const

function* imagePlaces(cooperatives: unknown, path: Path): Generator<ImagePlace> {
  for (const [index, holder] of recordsOf(cooperatives)) {
    for (const key of imageKeys) yield { holder, key, path: [...path, index, key] }
    for (const [position, project] of recordsOf(holder['projects'])) {
      const place = [...path, index, 'projects', position, 'image']
      yield { holder: project, key: 'image', path: place }
    }
  }
}

function* recordsOf(value: unknown): Generator<[number, Record<string, unknown>]> {
  if (!Array.isArray(value)) return
  for (const [index, item] of value.entries()) {
    if (typeof item === 'object' && item !== null) yield [index, item]
  }
}
