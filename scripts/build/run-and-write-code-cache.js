// `node run-and-write-code-cache.js BUNDLE CODE-CACHE NAME ARGUMENT…` runs the bundle. When the
// program ends, this writes a cache with the code that was used. NAME is the name of the bundle in
// stack traces.
import { writeFileSync } from 'node:fs'
import { runScript } from '../../bin/run-bundle.js'

const [bundle, codeCache, name] = process.argv.splice(2, 3)
const script = runScript(bundle, undefined, name)
process.on('exit', () => writeFileSync(codeCache, script.createCachedData()))
