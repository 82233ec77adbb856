import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import {
  type ImageFile,
  imageContentType,
  imageError,
  maximumImageBytes,
} from '../../domain/cooperatives/image.ts'
import type { WireImageFile } from '../../wire/cooperative-definition.ts'
import type { Fault, Path } from './located-document.ts'
import { isWithin } from './read-file.ts'

/**
 * Replaces names of image files, which are relative to `file`, with their content. The shape checks
 * all other values.
 */
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

const longestName = 1024
const tooLong = 'is too long for a file name'

/** @returns the image, or the fault as text */
async function readImageFile(folder: string, name: string): Promise<WireImageFile | string> {
  if (name.length > longestName) return tooLong
  if (/\p{Cc}/u.test(name)) return 'must be a file name'
  try {
    return await readNamed(folder, name)
  } catch (error) {
    const describe = refusals[(error as NodeJS.ErrnoException).code ?? '']
    if (!describe) throw error
    return describe(name)
  }
}

const none = (name: string) => `file does not exist: ${name}`
const forbidden = (name: string) => `no permission to read: ${name}`

const refusals: Readonly<Record<string, (name: string) => string>> = {
  ENOENT: none,
  ENOTDIR: none,
  ELOOP: (name) => `symbolic links form a loop: ${name}`,
  ENAMETOOLONG: () => tooLong,
  EACCES: forbidden,
  EPERM: forbidden,
}

/** A file from somebody else must not give access to files outside its own directory. */
async function readNamed(folder: string, name: string): Promise<WireImageFile | string> {
  const contentType = imageContentType(name)
  if (!contentType) return `must be an SVG, PNG, JPEG or WebP image: ${name}`
  // Symbolic links must be resolved before the check.
  const file = await realpath(resolve(folder, name))
  if (!isWithin(folder, file)) return `must be below the directory of the file: ${name}`
  const stats = await stat(file)
  if (!stats.isFile()) return `is not a regular file: ${name}`
  if (stats.size > maximumImageBytes) return `must have at most ${maximumImageBytes} bytes: ${name}`
  const image: ImageFile = { contentType, base64: await readFile(file, 'base64') }
  const fault = imageError(image)
  return fault ? `${fault}: ${name}` : { content_type: contentType, base64: image.base64 }
}
