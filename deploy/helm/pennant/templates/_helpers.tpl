{{- define "pennant.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- /* Selects the pods of a component: (list . "server"). */}}
{{- define "pennant.selector" -}}
app.kubernetes.io/name: {{ (index . 0).Chart.Name }}
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "pennant.labels" -}}
{{ include "pennant.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ printf "%s-%s" (index . 0).Chart.Name (index . 0).Chart.Version }}
{{- end }}

{{- define "pennant.image" -}}
{{ .image.repository }}{{ if and .image.digest (not .image.tag) }}@{{ .image.digest }}{{ else }}:{{ .image.tag | default .chart.AppVersion }}{{ end }}
{{- end }}

{{- /* Restrictions of the server's containers: no privileges, a read-only root. */}}
{{- define "pennant.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "pennant.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "pennant.secretVariable" -}}
- name: {{ index . 1 }}
  valueFrom:
    secretKeyRef:
      name: {{ (index . 0).Values.existingSecret }}
      key: {{ index . 2 }}
      {{- if gt (len .) 3 }}
      optional: true
      {{- end }}
{{- end }}

{{- define "pennant.storeVariables" -}}
{{ include "pennant.secretVariable" (list . "DATABASE_URL" "database-url") }}
{{ include "pennant.secretVariable" (list . "PENNANT_TOKEN_KEY" "token-key") }}
- name: PENNANT_ORIGIN
  value: {{ .Values.origin | quote }}
{{- end }}
