import { createPage, updatePage } from '@pennant/contract/pages.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { FailureLine } from '../../account/failure-line.tsx'
import { isGood, send } from '../../api/client.ts'
import { RequestFailure } from '../../api/failure.ts'
import { titleOf } from '../../api/pages.ts'
import { useDirtyMark } from '../../layout/leaving/use-dirty-mark.ts'
import { Waiting } from '../../organisers/organiser-page.tsx'
import { paths } from '../../paths.ts'
import { useLanguage } from '../../state/preferences.ts'
import { adminPagesMessages } from '../../text/en/admin-pages.ts'
import { useErrorText, useFormat, useMessages } from '../../text/messages.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { Switch } from '../../ui/fields/choices.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { Select, TextInput } from '../../ui/fields/inputs.tsx'
import { useForm, type Form } from '../../ui/form.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { languageLabel } from '../../text/language-label.ts'
import styles from './admin-pages.module.css'
import { draftOf, emptyDraft, excessOf, isSlug, places, untitled, type Draft } from './draft.ts'
import { History } from './history.tsx'
import { adminPageQuery, adminPagesQuery, type AdminPage } from './queries.ts'
import { draftFor, kinds } from './templates.ts'
import { TextFields } from './text-fields.tsx'

/** The form of a page that does not exist yet, with suggestions to begin with. */
export function NewPage() {
  const text = useMessages(adminPagesMessages)
  const navigate = useNavigate()
  const [kind, setKind] = useState<(typeof kinds)[number]>('blank')
  return (
    <div className={styles.narrow}>
      <Select
        label={text.begin}
        value={kind}
        onChange={(value) => setKind(kinds.find((each) => each === value) ?? 'blank')}
        choices={kinds.map((value) => ({ value, label: text.kinds[value] }))}
      />
      <Editor
        key={kind}
        stored={null}
        start={draftFor(kind)}
        onSaved={({ id }) => void navigate(paths.adminPage(id), { replace: true })}
      />
    </div>
  )
}

/** An earlier version in the form. */
interface Restored {
  readonly version: number
  readonly draft: Draft
  readonly isSaved: boolean
}

/** The form of a stored page. */
export function EditPage({ id }: { readonly id: string }) {
  const text = useMessages(adminPagesMessages)
  const language = useLanguage()
  const query = useQuery(adminPageQuery(id))
  const [start, setStart] = useState<Restored | null>(null)
  const [isHistoryShown, setHistoryShown] = useState(false)
  if (!query.data) return <Waiting query={query} rows={6} />
  const { page, versions } = query.data
  const title = titleOf({ slug: page.slug, titles: page.texts }, language)
  return (
    <div className={styles.narrow}>
      <div className={styles.line}>
        <h2 className={styles.heading}>
          <bdi>{title}</bdi>
        </h2>
        {page.published && <Link to={paths.page(page.slug)}>{text.view}</Link>}
        {versions.length > 1 && <Button onClick={() => setHistoryShown(true)}>{text.history}</Button>}
      </div>
      {start?.isSaved === false && <RestoredNote version={start.version} />}
      <Editor
        key={start?.version}
        stored={page}
        start={start?.draft ?? draftOf(page)}
        isRestored={start?.isSaved === false}
        onSaved={() => setStart((now) => now && { ...now, isSaved: true })}
      />
      <Dialog
        open={isHistoryShown}
        size="large"
        onClose={() => setHistoryShown(false)}
        title={text.historyOf(title)}
      >
        <History
          page={page}
          versions={versions}
          onRestore={(version, draft) => {
            setStart({ version, draft, isSaved: false })
            setHistoryShown(false)
          }}
        />
      </Dialog>
    </div>
  )
}

function RestoredNote({ version }: { readonly version: number }) {
  const text = useMessages(adminPagesMessages)
  return <p role="status">{text.restored(useFormat().number(version))}</p>
}

interface EditorProps {
  /** Null to create one. */
  readonly stored: AdminPage | null
  readonly start: Draft
  /** The form has an earlier version, which is not saved yet. */
  readonly isRestored?: boolean
  readonly onSaved: (page: AdminPage) => void
}

function Editor({ stored, start, isRestored = false, onSaved }: EditorProps) {
  const text = useMessages(adminPagesMessages)
  const errorText = useErrorText('change')
  const queries = useQueryClient()
  const [failure, setFailure] = useState<string>()
  const [material, setMaterial] = useState(false)
  // Not that of the list, which may have another organiser's edit by now.
  const version = useRef(stored?.version ?? 0)
  const [saved, setSaved] = useState<AdminPage | null>(null)
  // Once the form is clean: the page may be left without a question then.
  useEffect(() => {
    if (saved) onSaved(saved)
    setSaved(null)
    // oxlint-disable-next-line react/exhaustive-deps
  }, [saved])
  const form = useForm<Draft>({
    initial: start,
    validate: useFaults(),
    async submit(data) {
      setFailure(undefined)
      try {
        const response = stored
          ? await send(updatePage, {
              params: { id: stored.id },
              body: { data: { ...data, texts: [...data.texts], material, version: version.current } },
            })
          : await send(createPage, { body: { data: { ...data, texts: [...data.texts] } } })
        if (response.kind === 'badPageAddress') return { slug: errorText(response) }
        if (!isGood(response)) return setFailure(errorText(response))
        const { page } = response.data
        version.current = page.version
        announce(text.savedTitle(data.texts[0]?.title ?? ''))
        await queries.invalidateQueries({ queryKey: adminPagesQuery.queryKey })
        setMaterial(false)
        setSaved(page)
      } catch (error) {
        if (!(error instanceof RequestFailure)) throw error
        setFailure(errorText(error))
      }
    },
  })
  useDirtyMark(saved === null && (form.isDirty || isRestored || material || failure !== undefined))
  return (
    <form noValidate className="pn-stack pn-gap-4" onSubmit={(event) => void form.submit(event)}>
      <ErrorSummary errors={form.errors} />
      <Options form={form} />
      {form.values.mustAccept && stored !== null && stored.acceptVersion !== null && (
        <Switch
          kind="checkbox"
          label={text.material}
          help={text.materialHelp}
          checked={material}
          onChange={setMaterial}
        />
      )}
      <TextFields form={form} />
      <FailureLine>{failure}</FailureLine>
      <div className={styles.line}>
        <Button tone="primary" type="submit" busy={form.isSubmitting}>
          {text.save}
        </Button>
      </div>
    </form>
  )
}

/** What the form says of a draft before it is sent. */
function useFaults() {
  const { errors } = useMessages(adminPagesMessages)
  const format = useFormat()
  return (draft: Draft) => {
    const missing = untitled(draft)
    const excess = excessOf(draft)
    const ofTexts = excess > 0 ? errors.tooLong(format.number(excess)) : undefined
    return {
      slug: isSlug(draft.slug) ? undefined : draft.slug === '' ? errors.missing : errors.address,
      texts: missing ? errors.untitled(languageLabel(missing.language)) : ofTexts,
    }
  }
}

function Options({ form }: { readonly form: Form<Draft> }) {
  const text = useMessages(adminPagesMessages)
  const { place, published, mustAccept } = form.values
  return (
    <>
      <div className={styles.row}>
        <TextInput
          {...form.field('slug')}
          label={text.address}
          help={text.addressHelp}
          required
          mono
          maxLength={64}
          autoComplete="off"
        />
        <Select
          label={text.place}
          value={place}
          onChange={(value) => form.set({ place: places.find((each) => each === value) ?? emptyDraft.place })}
          choices={places.map((value) => ({ value, label: text.places[value] }))}
        />
      </div>
      <Switch
        kind="checkbox"
        label={text.isPublished}
        help={text.isPublishedHelp}
        checked={published}
        onChange={(on) => form.set({ published: on })}
      />
      <Switch
        kind="checkbox"
        label={text.mustAccept}
        help={text.mustAcceptHelp}
        checked={mustAccept}
        onChange={(on) => form.set({ mustAccept: on })}
      />
    </>
  )
}
