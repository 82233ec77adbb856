// What the program holds that is a file elsewhere.
import './write-demo-data.ts'
import './write-reference-page.ts'
