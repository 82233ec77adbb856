import { findForbiddenImports } from './import-arrows.ts'

const forbidden = findForbiddenImports(process.cwd())
for (const line of forbidden) console.error(`Against the arrows: ${line}`)
process.exitCode = forbidden.length === 0 ? 0 : 1
