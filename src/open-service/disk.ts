export {
  createFile,
  makePrivateDirectory,
  syncDirectory,
  writeFileDurably,
} from '../adapters/disk.ts'
