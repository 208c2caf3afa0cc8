import { fittingAnswers, type Answers, type CustomField } from '@pennant/contract/custom-field-values.ts'
import { writePersonAnswers, writeTeamAnswers } from '@pennant/contract/custom-fields.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { AnswerFields, problemsIn, refusedProblems, type Problems } from '../../account/answer-fields.tsx'
import { EligibilityList } from '../../account/eligibility-list.tsx'
import type { ActionResult } from '../../account/use-action.ts'
import { send } from '../../api/client.ts'
import { labelsOf, personAnswersQuery, teamAnswersQuery, useFields } from '../../api/fields.ts'
import { useFailure } from '../../api/use-failure.ts'
import { LoadState } from '../../layout/states/load-state.tsx'
import { useLanguage } from '../../state/preferences.ts'
import { fieldMessages } from '../../text/en/fields.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { useSuccess } from '../../ui/buttons/use-success.ts'
import { isSame } from '../../ui/form.ts'
import { Panel } from '../../ui/states/panel.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { Outcome, SaveButton } from './outcome.tsx'
import styles from './settings.module.css'
import { useUnsaved } from './unsaved.ts'
import { useChange } from './use-change.ts'

/** What organisers ask the team for, and its eligibility. */
export function TeamFieldsSection() {
  const text = useMessages(fieldMessages)
  const fields = useFields()
  const query = useQuery(teamAnswersQuery)
  const failure = useFailure(query)
  const { data } = query
  const own = fields?.filter(({ id }) => data?.mayAnswer.includes(id)) ?? []
  const results = data?.eligibility ?? []
  if (data && fields && own.length === 0 && results.length === 0) return null
  return (
    <Panel title={text.ofTeam}>
      {data && fields ? (
        <>
          {own.length > 0 && (
            <AnswersForm
              name="team-fields"
              about={text.aboutTeam}
              fields={own}
              {...data}
              save={(body) => send(writeTeamAnswers, { body: { fields: body } })}
            />
          )}
          {results.length > 0 && (
            <section aria-label={text.eligibility}>
              <h3>{text.eligibility}</h3>
              <EligibilityList results={results} />
            </section>
          )}
        </>
      ) : (
        <LoadState failure={failure}>
          <Skeleton rows={3} height="var(--pn-row)" />
        </LoadState>
      )}
    </Panel>
  )
}

/** What organisers ask the person for. */
export function PersonFieldsSection() {
  const text = useMessages(fieldMessages)
  const fields = useFields()?.filter(({ of }) => of === 'person') ?? []
  const { data } = useQuery(personAnswersQuery)
  if (!data || fields.length === 0) return null
  return (
    <Panel title={text.ofPerson}>
      <AnswersForm
        name="person-fields"
        about={text.aboutPerson}
        fields={fields}
        {...data}
        save={(body) => send(writePersonAnswers, { body: { fields: body } })}
      />
    </Panel>
  )
}

interface FormProps {
  readonly name: string
  readonly about: string
  readonly fields: readonly CustomField[]
  readonly answers: Answers
  readonly missing: readonly string[]
  readonly save: (answers: Answers) => Promise<ActionResult>
}

function AnswersForm({ name, about, fields, answers: stored, missing, save }: FormProps) {
  const text = useMessages(fieldMessages)
  const format = useFormat()
  const language = useLanguage()
  const change = useChange()
  const success = useSuccess(text.saved)
  const queries = useQueryClient()
  const [draft, setDraft] = useState<Answers>({})
  const [problems, setProblems] = useState<Problems>({})
  const saved = fittingAnswers(fields, stored)
  const changed = Object.fromEntries(
    Object.entries(draft).filter(([id, value]) => !isSame(value, saved[id] ?? '')),
  )
  const isDirty = Object.keys(changed).length > 0
  useUnsaved(name, isDirty)
  const submit = async () => {
    const found = problemsIn(fields, changed, false)
    setProblems(found)
    if (Object.keys(found).length > 0) return
    let refused: Problems | null = null
    const request = async () => {
      const response = await save(changed)
      refused = refusedProblems(response)
      return response
    }
    const response = await change.run(request, success.show)
    setProblems(refused ?? {})
    if (!response) return
    await Promise.all(
      [teamAnswersQuery, personAnswersQuery].map(({ queryKey }) => queries.invalidateQueries({ queryKey })),
    )
    setDraft({})
  }
  const described = fields.map((field) => withSeen(field, text.seen[field.visible]))
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <p>{about}</p>
      {missing.length > 0 && (
        <p role="status">
          <b>{text.missing(format.list(labelsOf(fields, missing, language)))}</b>
        </p>
      )}
      <AnswerFields
        fields={described}
        answers={{ ...saved, ...draft }}
        problems={problems}
        onChange={setDraft}
      />
      <Outcome change={change} />
      <div className={styles.actions}>
        <SaveButton change={change} isDirty={isDirty} success={success} />
      </div>
    </form>
  )
}

/** The field whose help says who sees the answer. */
function withSeen(field: CustomField, seen: string): CustomField {
  return {
    ...field,
    texts: field.texts.map((text) => ({ ...text, help: [text.help, seen].filter(Boolean).join(' ') })),
  }
}
