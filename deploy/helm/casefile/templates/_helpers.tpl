{{- define "casefile.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "casefile.selector" -}}
app.kubernetes.io/name: casefile
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "casefile.labels" -}}
{{ include "casefile.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "casefile.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}{{ else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "casefile.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "casefile.name" .) }}{{ else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end }}

{{/* Every name under which requests arrive; others are refused with 421. Names of the cluster belong to the cluster only. */}}
{{- define "casefile.origins" -}}
{{- $name := include "casefile.name" . }}
{{- $origins := .Values.origins }}
{{- if .Values.ingress.enabled }}
{{- $origins = append $origins (printf "%s://%s" (ternary "https" "http" (ne .Values.ingress.tlsSecret "")) .Values.ingress.host) }}
{{- end }}
{{- range list $name (printf "%s.%s" $name .Release.Namespace) (printf "%s.%s.svc" $name .Release.Namespace) (printf "%s.%s.svc.cluster.local" $name .Release.Namespace) }}
{{- $origins = append $origins (printf "http://%s:%v" . $.Values.service.port) }}
{{- end }}
{{- join "," $origins }}
{{- end }}

{{- define "casefile.check" -}}
{{- if and (gt (int .Values.replicas) 1) (not .Values.database.existingSecret) }}
{{- fail "Several nodes need a PostgreSQL database: set database.existingSecret, or replicas to 1." }}
{{- end }}
{{- if and (not .Values.persistence.enabled) (not .Values.database.existingSecret) }}
{{- fail "Without a database all data is on the volume: set persistence.enabled or database.existingSecret." }}
{{- end }}
{{- if and .Values.metrics.serviceMonitor (not .Values.metrics.public) }}
{{- fail "metrics.serviceMonitor needs metrics.public, because Prometheus reads from another address." }}
{{- end }}
{{- end }}
