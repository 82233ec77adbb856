// The operations are below HTTP and check the same texts, so the shape stands with them.
export { optionalText, text } from '../../operations/shapes/text.ts'
