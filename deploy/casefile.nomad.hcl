# Three nodes on one PostgreSQL, for Nomad 1.7 or later with its Docker driver.
#   nomad var put nomad/jobs/casefile database_url=postgres://USER:PASSWORD@HOST:5432/casefile
#   nomad job run -var image=registry.your-company.example/casefile:VERSION deploy/casefile.nomad.hcl
# One node without PostgreSQL: -var nodes=1 -var host_volume=NAME, a volume that the clients of one machine have. All data
# is then on it.
variable "image" {
  type        = string
  description = "The image of a release in a registry of yours."
}

variable "nodes" {
  type    = number
  default = 3
}

variable "host_volume" {
  type        = string
  default     = ""
  description = "A host volume for the data directory. Without one each node keeps its index on the disk of its allocation."
}

variable "origin" {
  type        = string
  default     = "https://casefile.acme.example"
  description = "The web origin under which the balancer in front is reached."
}

variable "contact" {
  type        = string
  default     = ""
  description = "Your email address or page, which site owners find in the User-Agent of each request."
}

job "casefile" {
  type = "service"

  group "nodes" {
    count = var.nodes

    # Nodes of one group do not share a machine.
    constraint {
      distinct_hosts = true
    }

    ephemeral_disk {
      size   = 10000
      sticky = true
    }

    dynamic "volume" {
      for_each = var.host_volume == "" ? [] : [var.host_volume]
      labels   = ["data"]
      content {
        type   = "host"
        source = volume.value
      }
    }

    network {
      port "http" {
        to = 7171
      }
    }

    # One node at a time; a release that does not get ready is taken back.
    update {
      max_parallel     = 1
      health_check     = "checks"
      min_healthy_time = "10s"
      healthy_deadline = "10m"
      auto_revert      = true
    }

    service {
      name     = "casefile"
      port     = "http"
      provider = "nomad"

      check {
        name     = "ready"
        type     = "http"
        path     = "/readyz"
        interval = "5s"
        timeout  = "5s"
      }
    }

    # The balancer stops sending requests while the node still answers.
    shutdown_delay = "5s"

    restart {
      attempts = 10
      interval = "10m"
      delay    = "2s"
      mode     = "delay"
    }

    task "casefile" {
      driver = "docker"
      user   = "65534:65534"
      # Longer than server.shutdown_timeout_ms; clients must allow it (max_kill_timeout).
      kill_timeout = "30s"

      config {
        image           = var.image
        ports           = ["http"]
        readonly_rootfs = true
        cap_drop        = ["all"]
        security_opt    = ["no-new-privileges"]
      }

      dynamic "volume_mount" {
        for_each = var.host_volume == "" ? [] : [var.host_volume]
        content {
          volume      = "data"
          destination = "/data"
        }
      }

      env {
        CASEFILE_DATA_DIR           = var.host_volume == "" ? "/alloc/data/casefile" : "/data/casefile"
        CASEFILE_SERVER_ORIGINS     = var.origin
        CASEFILE_SERVER_TRUST_PROXY = "1"
        CASEFILE_SCAN_CONTACT       = var.contact == "" ? "off" : var.contact
      }

      # Secrets are variables of Nomad that only this job reads; they are in no argument and not in the job.
      template {
        destination = "secrets/casefile.env"
        env         = true
        change_mode = "restart"
        data        = <<-TEMPLATE
          {{- if nomadVarExists "nomad/jobs/casefile" }}
          {{- with nomadVar "nomad/jobs/casefile" }}
          {{- with .database_url }}
          CASEFILE_DATABASE_URL={{ . | toJSON }}
          {{- end }}
          {{- with .snapshot_url }}
          CASEFILE_INDEX_SNAPSHOT_URL={{ . | toJSON }}
          {{- end }}
          {{- with .snapshot_region }}
          CASEFILE_INDEX_SNAPSHOT_REGION={{ . | toJSON }}
          {{- end }}
          {{- with .snapshot_key_id }}
          CASEFILE_INDEX_SNAPSHOT_KEY_ID={{ . | toJSON }}
          {{- end }}
          {{- with .snapshot_secret }}
          CASEFILE_INDEX_SNAPSHOT_SECRET={{ . | toJSON }}
          {{- end }}
          {{- with .smtp_url }}
          CASEFILE_SMTP_URL={{ . | toJSON }}
          {{- end }}
          {{- end }}
          {{- end }}
        TEMPLATE
      }

      resources {
        cpu        = 1000
        memory     = 1024
        memory_max = 4096
      }
    }
  }
}
