export { makeDirectory } from '../adapters/make-directory.ts'
