export { isAlive } from '../adapters/is-alive.ts'
