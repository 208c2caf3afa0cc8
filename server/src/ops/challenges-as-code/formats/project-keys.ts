import type { Finding } from '../finding.ts'
import { parseForeign } from '../parse.ts'
import { textBeside } from './reader.ts'
import type { ForeignDocument, Problem, ProjectFile } from './translation.ts'

/** What is wrong with a project file, once for all of its documents. */
export async function projectFindings(
  { tree }: Pick<ForeignDocument, 'tree'>,
  { file }: ProjectFile,
  problems: readonly Problem[],
): Promise<Finding[]> {
  if (problems.length === 0) return []
  const read = await textBeside({ tree, folder: '' }, file)
  const parsed = 'text' in read ? await parseForeign(file, read.text) : null
  return problems.map((problem) => ({
    ...problem,
    file,
    ...(parsed && 'lineOf' in parsed && { line: parsed.lineOf((problem.field ?? '').split('.')) }),
  }))
}
