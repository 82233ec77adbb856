export { requireOwnDirectory } from '../adapters/require-own-directory.ts'
