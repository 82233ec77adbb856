import { readFile, realpath, stat } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import {
  type ImageFile,
  imageContentType,
  imageFault,
  maximumImageBytes,
} from '../../domain/cooperatives/image-file.ts'
import type { WireImageFile } from '../../operations/shapes/cooperative-definition.ts'

const longestName = 1024
const tooLong = 'must be shorter, to be the name of a file'

/** The image, or why there is none. */
export async function readImageFile(folder: string, name: string): Promise<WireImageFile | string> {
  if (name.length > longestName) return tooLong
  if (/\p{Cc}/u.test(name)) return 'must be the name of a file'
  try {
    return await readNamed(folder, name)
  } catch (error) {
    const describe = refusals[(error as NodeJS.ErrnoException).code ?? '']
    if (!describe) throw error
    return describe(name)
  }
}

const none = (name: string) => `there is no file ${name}`
const forbidden = (name: string) => `this user may not read it: ${name}`

const refusals: Readonly<Record<string, (name: string) => string>> = {
  ENOENT: none,
  ENOTDIR: none,
  ELOOP: (name) => `its links lead nowhere: ${name}`,
  ENAMETOOLONG: () => tooLong,
  EACCES: forbidden,
  EPERM: forbidden,
}

/** A file that somebody else wrote must not name what lies outside its own folder. */
async function readNamed(folder: string, name: string): Promise<WireImageFile | string> {
  const contentType = imageContentType(name)
  if (!contentType) return `must be an SVG, PNG, JPEG or WebP image: ${name}`
  // Where the file really is, whatever links lead there.
  const file = await realpath(resolve(folder, name))
  if (relative(folder, file).split(sep)[0] === '..')
    return `must lie below the folder of the file: ${name}`
  const stats = await stat(file)
  if (!stats.isFile()) return `is no file: ${name}`
  if (stats.size > maximumImageBytes) return `must have at most ${maximumImageBytes} bytes: ${name}`
  const image: ImageFile = { contentType, base64: await readFile(file, 'base64') }
  const fault = imageFault(image)
  return fault ? `${fault}: ${name}` : { content_type: contentType, base64: image.base64 }
}
