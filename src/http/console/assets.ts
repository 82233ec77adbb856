import { commonStyles } from '../look/look.ts'
import { files } from './look/files.ts'

// One file of styles and one of scripts, from the same origin: the content security policy allows nothing else.

const ofKind = (kind: string) => Object.entries(files).filter(([name]) => name.endsWith(kind))

/** The file for all pages comes first, so that those for some pages may differ from it. */
const { 'page.css': page, ...others } = Object.fromEntries(ofKind('.css'))
export const styles = [commonStyles, page, ...Object.values(others)].join('')

/** Each script has names of its own, and runs even if another one fails. */
export const script = ofKind('.js')
  .map(([name, text]) => `// ${name}\nqueueMicrotask(() => {\n'use strict'\n${text}})\n`)
  .join('')
