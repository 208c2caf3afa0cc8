import { countHosts, picturesElsewhere } from '@pennant/contract/text-pictures.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useContext, useState } from 'react'
import { useNavigate } from 'react-router'
import { OWN_KEY } from '../../../api/queries.ts'
import { ForeignPictures } from '../../../organisers/foreign-pictures.tsx'
import { Waiting } from '../../../organisers/organiser-page.tsx'
import { useFileLinks } from '../../../organisers/use-file-links.ts'
import { useFailureMessage } from '../../../layout/use-failure-message.ts'
import { paths } from '../../../paths.ts'
import { refresh } from '../../../state/live.ts'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useMessages, useErrorText } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { announce } from '../../../ui/announcer.tsx'
import { PictureSources } from '../../../ui/picture-sources.ts'
import { storePictures } from '../../../ui/rich/store-pictures.ts'
import { bodyOf, DRAFT_FIELDS, draftOf, NEW_DRAFT, type Draft, type DraftField } from '../draft.ts'
import type { Imported } from './exported.ts'
import { changedFields } from '../editor/merge.ts'
import { findFiles } from '../files/find-files.ts'
import { allChallengesQuery, challengesKey, writeChallenge } from '../queries.ts'
import styles from './import.module.css'
import { RequestFailure } from '../../../api/failure.ts'
import { uploadFile } from '../../../api/upload.ts'
import { FileDrop } from '../../../ui/upload/file-drop.tsx'

type ChallengeFile = Draft['files'][number]

interface ImportReviewProps {
  readonly imported: Imported
  readonly onDone: () => void
}

/** Asks for missing files first, then previews the changes, then imports. */
export function ImportReview({ imported, onDone }: ImportReviewProps) {
  const all = useQuery(allChallengesQuery)
  const found = useQuery({
    queryKey: [OWN_KEY, 'import-files', imported.draft.files],
    queryFn: () => findFiles(imported.draft.files),
    ...refresh(null),
  })
  /** By index: the file that the user added, or null for a file that is left out. */
  const [brought, setBrought] = useState<ReadonlyMap<number, ChallengeFile | null>>(new Map())
  if (!all.data) return <Waiting query={all} rows={3} />
  if (!found.data) return <Waiting query={found} rows={3} />
  const missing = imported.draft.files
    .map(({ name }, at) => ({ name, at }))
    .filter(({ at }) => found.data[at] === null && !brought.has(at))
  const files = found.data.flatMap((file, at) => file ?? brought.get(at) ?? [])
  const bring = (at: number, file: ChallengeFile | null) => setBrought((old) => new Map(old).set(at, file))
  if (missing.length > 0) return <MissingFiles missing={missing} onFile={bring} />
  const existing = all.data.find(({ id }) => id === imported.id)
  const before = existing ? draftOf(existing) : null
  const after = { ...withSecret(imported.draft, before), files }
  return <Writing id={imported.id} before={before} after={after} onDone={onDone} />
}

/** Exported files contain no webhook secret, so an existing challenge keeps its own. */
function withSecret(draft: Draft, before: Draft | null): Draft {
  const keeps = draft.scoring.kind === 'dynamic' && before?.scoring.kind === 'dynamic'
  return keeps ? { ...draft, scoring: before.scoring } : draft
}

interface WritingProps {
  readonly id: string
  /** Null: the challenge is new. */
  readonly before: Draft | null
  readonly after: Draft
  readonly onDone: () => void
}

function Writing({ id, before, after, onDone }: WritingProps) {
  const text = useMessages(adminChallengesMessages)
  const failureMessage = useFailureMessage()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { onPicture } = useFileLinks()
  const sources = [location.origin, ...useContext(PictureSources)]
  const [storesPictures, setStoresPictures] = useState(false)
  const fields = before ? changedFields(before, after) : DRAFT_FIELDS
  const elsewhere = fields.includes('description') ? picturesElsewhere(after.description, sources) : []
  const writing = useMutation({
    mutationFn: async () => {
      // The editor, which opens next, names those that could not be stored.
      const { change } = await storePictures(storesPictures ? elsewhere : [], onPicture)
      const stored = { ...after, description: change(after.description) }
      return await failureMessage(writeChallenge(id, bodyOf(stored, fields)))
    },
    onSuccess: async (failure) => {
      if (failure !== null) return
      await client.invalidateQueries({ queryKey: challengesKey })
      announce(text.imported(after.name))
      onDone()
      void navigate(paths.adminChallenge(id))
    },
  })
  if (fields.length === 0) return <p>{text.importSame}</p>
  return (
    <>
      {!before && <p>{text.importNew}</p>}
      <Differences before={before ?? NEW_DRAFT} after={after} fields={fields} />
      {elsewhere.length > 0 && (
        <ForeignPictures
          count={elsewhere.length}
          lines={countHosts(elsewhere).map(({ host, count }) => `${host} (${count})`)}
          checked={storesPictures}
          onChange={setStoresPictures}
        />
      )}
      {writing.data && <p role="alert">{writing.data}</p>}
      <Button tone="primary" busy={writing.isPending} onClick={() => writing.mutate()}>
        {text.importConfirm}
      </Button>
    </>
  )
}

interface DifferencesProps {
  readonly before: Draft
  readonly after: Draft
  readonly fields: readonly DraftField[]
}

/** Compares the stored and the new value of each field. */
function Differences({ before, after, fields }: DifferencesProps) {
  const text = useMessages(adminChallengesMessages)
  return (
    <div className={styles.scroll} role="region" tabIndex={0} aria-label={text.importChanges}>
      <table className={styles.differences}>
        <caption>{text.importChanges}</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">{text.now}</th>
            <th scope="col">{text.importAfter}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <th scope="row">{text.fields[field]}</th>
              <td>{shown(before[field])}</td>
              <td>{shown(after[field])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function shown(value: Draft[DraftField]): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The server rejects files over its own limit. */
const MAX_BYTES = 1024 ** 3

interface Missing {
  readonly name: string
  /** Index among the files of the challenge. */
  readonly at: number
}

interface MissingFilesProps {
  readonly missing: readonly Missing[]
  /** Null: the file is left out. */
  readonly onFile: (at: number, file: Draft['files'][number] | null) => void
}

/** Import files that this server does not have: the user adds each one or leaves it out. */
function MissingFiles({ missing, onFile }: MissingFilesProps) {
  const text = useMessages(adminChallengesMessages)
  const errorText = useErrorText('once')
  const [failure, setFailure] = useState<string | null>(null)
  const upload = async (files: readonly File[]) => {
    setFailure(null)
    for (const file of files) {
      const place = missing.find(({ name }) => name === file.name)
      if (!place) {
        setFailure(text.importUnknown(file.name))
        continue
      }
      try {
        onFile(place.at, await uploadFile(file))
      } catch (error) {
        if (!(error instanceof RequestFailure)) throw error
        setFailure(errorText(error))
      }
    }
  }
  const uploading = useMutation({ mutationFn: upload })
  return (
    <>
      <p>{text.importMissing(missing.length)}</p>
      <ul className="pn-list">
        {missing.map(({ name, at }) => (
          <li key={at} className="pn-row pn-gap-3">
            <bdi>{name}</bdi>
            <Button tone="quiet" onClick={() => onFile(at, null)}>
              {text.importLeave}
            </Button>
          </li>
        ))}
      </ul>
      <FileDrop
        multiple
        label={text.importFiles}
        maxSize={MAX_BYTES}
        onFiles={(files) => void (uploading.isPending || uploading.mutate(files))}
      />
      {failure !== null && <p role="alert">{failure}</p>}
    </>
  )
}
