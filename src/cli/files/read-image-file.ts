import { readFile, realpath, stat } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import {
  type ImageFile,
  imageContentType,
  imageFault,
  maximumImageBytes,
} from '../../domain/cooperatives/image-file.ts'
import type { WireImageFile } from '../../operations/shapes/cooperative-definition.ts'

/** The image, or why there is none. A file that somebody else wrote must not name what lies outside its own folder. */
export async function readImageFile(folder: string, name: string): Promise<WireImageFile | string> {
  const contentType = imageContentType(name)
  if (!contentType) return `must be an SVG, PNG, JPEG or WebP image: ${name}`
  const file = await findFile(folder, name)
  if (file === undefined) return `there is no file ${name}`
  if (relative(folder, file).split(sep)[0] === '..')
    return `must lie below the folder of the file: ${name}`
  const stats = await stat(file)
  if (!stats.isFile()) return `is no file: ${name}`
  if (stats.size > maximumImageBytes) return `must have at most ${maximumImageBytes} bytes: ${name}`
  const image: ImageFile = { contentType, base64: await readFile(file, 'base64') }
  const fault = imageFault(image)
  return fault ? `${fault}: ${name}` : { content_type: contentType, base64: image.base64 }
}

/** Where the file really is, whatever links lead there. */
async function findFile(folder: string, name: string): Promise<string | undefined> {
  try {
    return await realpath(resolve(folder, name))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}
