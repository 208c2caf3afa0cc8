import { parseSync, type AlterTableCmd, type ColumnDef, type Constraint, type Node } from 'libpg-query'

/**
 * During a rolling update the previous version reads and writes a database with the new migrations. It must not miss a
 * table or column, have a write refused, or wait for a long lock. Kinds of statements that are not known to be safe are
 * problems as well.
 */

/** Before a statement: the previous version no longer needs what it removes or narrows. Names the first such release. */
const UNUSED = /^-- second step: unused since (\S+)$/m
/** Before a statement: why the lock that blocks writers is short. */
const SHORT_LOCK = /^-- short lock: \S.*$/m

interface Problem {
  readonly kind: 'breaking' | 'lock'
  readonly what: string
}

const breaking = (what: string): Problem => ({ kind: 'breaking', what })
const lock = (what: string): Problem => ({ kind: 'lock', what })

/** Lines `<line>: <problem>`. `releases` may be named as the first that does without something. Call `loadModule` first. */
export function unsafeStatements(text: string, releases: readonly string[]): string[] {
  const bytes = Buffer.from(text)
  const created = new Set<string>()
  let end = 0
  return (parseSync(text).stmts ?? []).flatMap(({ stmt, stmt_location: start = 0, stmt_len: length }) => {
    const comments = bytes.subarray(end, start).toString() + leadingComments(bytes.subarray(start).toString())
    end = length === undefined ? bytes.length : start + length
    if (stmt === undefined) return []
    const unused = UNUSED.exec(comments)?.[1]
    const line = lineAt(bytes, start)
    if (unused !== undefined && !releases.includes(unused))
      return [`${line}: "unused since ${unused}" does not name a release (${releases.join(', ')})`]
    return problemsOf(stmt, created)
      .filter(({ kind }) => (kind === 'breaking' ? unused === undefined : !SHORT_LOCK.test(comments)))
      .map(({ kind, what }) => `${line}: ${what}; ${REMEDIES[kind]}`)
  })
}

const REMEDIES = {
  breaking:
    'release a version that does without it first, then write "-- second step: unused since <release>" above',
  lock: 'if the table is small, write "-- short lock: <reason>" above',
}

function leadingComments(text: string): string {
  return /^(?:\s*--[^\n]*\n)*/.exec(text)?.[0] ?? ''
}

function lineAt(bytes: Buffer, start: number): number {
  const before = bytes.subarray(0, start).toString()
  const comments = leadingComments(bytes.subarray(start).toString())
  const blanks = /^\s*/.exec(bytes.subarray(start).toString().slice(comments.length))?.[0] ?? ''
  return (before + comments + blanks).split('\n').length
}

/** `created` collects the tables of this file, and the columns `table.column` that are null in rows of the previous version. */
function problemsOf(node: Node, created: Set<string>): Problem[] {
  if ('CreateStmt' in node) {
    const { relation, tableElts = [] } = node.CreateStmt
    created.add(relation?.relname ?? '')
    return tableElts.flatMap((element) => constraintsOf(element).flatMap((each) => foreignKey(each, created)))
  }
  if ('AlterTableStmt' in node) {
    const { relation, cmds = [], objtype } = node.AlterTableStmt
    if (objtype !== 'OBJECT_TABLE') return [breaking('it is not known whether this is safe')]
    if (created.has(relation?.relname ?? '')) return []
    const alterations = cmds.flatMap((cmd) => ('AlterTableCmd' in cmd ? cmd.AlterTableCmd : []))
    for (const { def } of alterations) {
      if (def && 'ColumnDef' in def && isNullByDefault(def.ColumnDef))
        created.add(`${relation?.relname}.${def.ColumnDef.colname}`)
    }
    return alterations.flatMap((each) => alteration(each, created))
  }
  if ('IndexStmt' in node) {
    const { relation, unique, indexParams = [] } = node.IndexStmt
    if (created.has(relation?.relname ?? '')) return []
    const blocks = lock('building an index blocks every write to its table')
    // Rows of the previous version have null in a new column, and nulls are never equal.
    const isOfNew = indexParams.some(
      (each) => 'IndexElem' in each && created.has(`${relation?.relname}.${each.IndexElem.name}`),
    )
    return unique && !isOfNew
      ? [breaking('a unique index may refuse writes of the previous version'), blocks]
      : [blocks]
  }
  if ('UpdateStmt' in node || 'DeleteStmt' in node) {
    const { relation } = 'UpdateStmt' in node ? node.UpdateStmt : node.DeleteStmt
    const isNew = created.has(relation?.relname ?? '')
    return isNew ? [] : [lock('changed rows stay locked until the end of the migration')]
  }
  if ('DropStmt' in node) return [breaking('the previous version may use what this drops')]
  if ('RenameStmt' in node) return [breaking('the previous version uses the old name')]
  const isSafe = SAFE.some((kind) => kind in node)
  return isSafe ? [] : [breaking(`it is not known whether this is safe (${Object.keys(node).join()})`)]
}

const SAFE = [
  'InsertStmt',
  'CommentStmt',
  'CreateFunctionStmt',
  'CreateTrigStmt',
  'CreateSeqStmt',
  'ViewStmt',
]

function constraintsOf(element: Node): Constraint[] {
  if ('Constraint' in element) return [element.Constraint]
  return 'ColumnDef' in element ? columnConstraints(element.ColumnDef) : []
}

function columnConstraints({ constraints = [] }: ColumnDef): Constraint[] {
  return constraints.flatMap((each) => ('Constraint' in each ? [each.Constraint] : []))
}

/** Without an action, a row of the new version prevents the previous one from deleting what the row refers to. */
function foreignKey(
  { contype, pktable, fk_del_action: action }: Constraint,
  created: Set<string>,
): Problem[] {
  if (contype !== 'CONSTR_FOREIGN' || created.has(pktable?.relname ?? '') || /^[cnd]$/.test(action ?? ''))
    return []
  return [breaking('a reference without "on delete" may refuse deletes of the previous version')]
}

const ALTERATIONS: Readonly<Record<string, Problem | null>> = {
  AT_ValidateConstraint: null,
  AT_SetStatistics: null,
  AT_SetStorage: null,
  AT_SetRelOptions: null,
  AT_DropColumn: breaking('the previous version may read or write this column'),
  AT_AlterColumnType: breaking('the previous version expects the former type'),
  AT_SetNotNull: breaking('the previous version may write null'),
  AT_DropNotNull: breaking('the previous version does not expect null'),
  AT_AddConstraint: breaking('a constraint may refuse writes of the previous version'),
  AT_DropConstraint: breaking('the previous version may rely on this constraint'),
}

function alteration({ subtype, name, def }: AlterTableCmd, created: Set<string>): Problem[] {
  if (subtype === 'AT_AddColumn')
    return def !== undefined && 'ColumnDef' in def ? addedColumn(def.ColumnDef, created) : []
  if (subtype === 'AT_ColumnDefault')
    return def === undefined ? [breaking(`the previous version may rely on the default of ${name}`)] : []
  const known = ALTERATIONS[subtype ?? '']
  if (known === null) return []
  return [known ?? breaking(`it is not known whether this is safe (${subtype})`)]
}

/** PostgreSQL adds a column without rewriting the table if its default is a constant. */
function addedColumn(column: ColumnDef, created: Set<string>): Problem[] {
  const constraints = columnConstraints(column)
  const has = (wanted: string) => constraints.some(({ contype }) => contype === wanted)
  const isSerial = /serial/.test(JSON.stringify(column.typeName?.names ?? []))
  const value = constraints.find(({ contype }) => contype === 'CONSTR_DEFAULT')?.raw_expr
  const isRewrite = isSerial || has('CONSTR_GENERATED') || has('CONSTR_IDENTITY') || !isConstant(value)
  return [
    ...(has('CONSTR_NOTNULL') && value === undefined && !isSerial
      ? [breaking(`writes of the previous version leave out ${column.colname}, which has no default`)]
      : []),
    ...(has('CONSTR_UNIQUE') || has('CONSTR_PRIMARY')
      ? [lock('building an index blocks every write to its table')]
      : []),
    ...(isRewrite ? [lock('the default of the column rewrites the table')] : []),
    ...constraints.flatMap((each) => foreignKey(each, created)),
  ]
}

function isNullByDefault(column: ColumnDef): boolean {
  const kinds = columnConstraints(column).map(({ contype }) => contype ?? '')
  return !kinds.some((kind) => ['CONSTR_DEFAULT', 'CONSTR_GENERATED', 'CONSTR_IDENTITY'].includes(kind))
}

function isConstant(value: Node | undefined): boolean {
  return value === undefined || !/"FuncCall"|"SubLink"/.test(JSON.stringify(value))
}
