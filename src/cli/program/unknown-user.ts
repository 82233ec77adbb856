// A container may run as a user that the system has no account of. oclif asks for the shell and the home of one as it loads, and would end the program.
import { homedir } from 'node:os'

process.env['SHELL'] ??= ''
try {
  homedir()
} catch {
  process.env['HOME'] = '/'
}
