# make install | demo | toolchains | test | bench | lint      PYTHON=python3.12 names an interpreter, PORT=8080 a port for the demo
.PHONY: install demo toolchains test bench lint
.SILENT:

install:
	axiom_site/deploy/install.sh

demo: install
	AXIOM_ENDS_WITH_PARENT=1 exec .venv/bin/python manage.py demo $(if $(PORT),--port $(PORT))

toolchains: install
	axiom_site/deploy/toolchains.sh

test:
	axiom_site/deploy/install.sh dev
	axiom_site/deploy/toolchains.sh
	exec .venv/bin/python -m tests.run

lint:
	axiom_site/deploy/install.sh dev
	exec .venv/bin/python -m tests.run lint

bench:
	axiom_site/deploy/install.sh dev
	axiom_site/deploy/toolchains.sh
	exec .venv/bin/python -m pytest -m bench -s -p no:randomly tests/bench
