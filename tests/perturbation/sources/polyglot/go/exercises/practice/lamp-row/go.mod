module lamprow

go 1.18
