export {
  createFile,
  makePrivateDirectory,
  syncDirectory,
  writeFileDurably,
  writeFirstFileDurably,
} from '../adapters/disk.ts'
