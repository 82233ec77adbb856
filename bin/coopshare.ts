// The program itself, in whatever runs TypeScript; what is installed is its bundle.
import manifest from '../oclif.manifest.json' with { type: 'json' }
import pjson from '../package.json' with { type: 'json' }
import { runProgram } from '../src/cli/program/run-program.ts'

void runProgram({
  pjson,
  commands: manifest.commands,
  // The bundler replaces this by the commands that are there.
  load: (id) => import(`../commands/${id.replaceAll(':', '/')}.ts`),
})
