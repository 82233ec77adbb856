// A container may run as a user without an account. oclif reads the shell and the home of the user while it loads, and would fail.
import { homedir } from 'node:os'

process.env['SHELL'] ??= ''
try {
  homedir()
} catch {
  process.env['HOME'] = '/'
}
