import manifest from '../oclif.manifest.json' with { type: 'json' }
import pjson from '../package.json' with { type: 'json' }
import { runProgram } from '../src/cli/program/run-program.ts'

export function run(): Promise<void> {
  return runProgram({
    pjson,
    commands: manifest.commands,
    // The bundler replaces this import with imports of all commands.
    load: (id) => import(`../commands/${id.replaceAll(':', '/')}.ts`),
  })
}
